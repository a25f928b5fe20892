/**
 * The process of one execution environment: loads the function's bundle as Lambda does, then handles one event after
 * another. `execution-environment.ts` starts it with the clock's offset as its only argument. It has few imports,
 * because loading them is part of every cold start.
 */
import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FunctionError, Invocation, Reply } from './messages.ts';
import { installMovedDate } from './moved-date.ts';

type Handler = (event: unknown, context: unknown) => unknown;

const [initialOffsetMs] = process.argv.splice(2);
const setClockOffset = installMovedDate(globalThis, Number(initialOffsetMs));

// Node has read it by now. The function sees only the variables that it has in Lambda.
delete process.env.NODE_COMPILE_CACHE;

// The channel closes when the parent ends, even by SIGKILL. This process then ends too. If it is stopped, the watchdog ends it.
process.on('disconnect', () => process.exit());

try {
  const handler = await loadHandler(process.env.LAMBDA_TASK_ROOT ?? '', process.env._HANDLER ?? '');
  let isCached = false;
  process.on('message', async (invocation: Invocation) => {
    const reply = await handle(handler, invocation);
    // Node writes its compile cache when a process exits, but this one is killed. After the first event, the cache has what
    // events need. If nothing is new, the call does nothing.
    if (!isCached) flushCompileCache();
    isCached = true;
    send(reply);
  });
  send({ type: 'ready' });
} catch (error) {
  console.error(error);
  send({ type: 'init-failed', error: describeError(error) });
}

/** @param handlerName `<module>.<export>`, such as `index.handler`. */
async function loadHandler(directory: string, handlerName: string): Promise<Handler> {
  const [module = '', exportName = ''] = handlerName.split('.');
  const file = ['.js', '.mjs', '.cjs']
    .map((extension) => join(directory, module + extension))
    .find(existsSync);
  if (file === undefined) throw runtimeError('Runtime.ImportModuleError', `Cannot find module '${module}'`);
  const loaded: Record<string, unknown> = await import(pathToFileURL(file).href);
  const handler = loaded[exportName];
  if (typeof handler !== 'function') {
    throw runtimeError('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`);
  }
  return handler as Handler;
}

async function handle(handler: Handler, invocation: Invocation): Promise<Reply> {
  const { requestId } = invocation;
  setClockOffset(invocation.clockOffsetMs);
  process.env._X_AMZN_TRACE_ID = invocation.traceHeader;
  let result: unknown;
  try {
    result = await handler(JSON.parse(invocation.payload), createContext(invocation));
  } catch (error) {
    console.error(error);
    return { type: 'failed', requestId, error: describeError(error) };
  }
  try {
    return { type: 'done', requestId, payload: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    const { message } = error as Error;
    return { type: 'failed', requestId, error: { errorType: 'Runtime.MarshalError', errorMessage: message } };
  }
}

function createContext({ requestId, functionArn, timeoutMs }: Invocation): object {
  // Real time, not the local clock: moving the clock must not change a running function's time limit.
  const deadline = performance.now() + timeoutMs;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: functionArn,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
  };
}

function describeError(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error) };
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
}

function runtimeError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function send(reply: Reply): void {
  if (process.connected) process.send?.(reply);
}
