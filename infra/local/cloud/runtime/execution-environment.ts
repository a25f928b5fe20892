/**
 * One execution environment: a process that runs a function's bundle and handles one event at a time. Between events it is
 * stopped, as Lambda freezes it: work that a function leaves running continues only during later events.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
import { spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { createInterface } from 'node:readline';
import type { FunctionResource } from '../model.ts';
import type { FunctionError, Invocation, Reply } from './messages.ts';
import { startSharing } from './processor-share.ts';
import type { Watchdog } from './watchdog.ts';

/** The outcome of an invocation. A failure is what Lambda reports with `FunctionError: Unhandled`. */
export type InvokeOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: FunctionError };

export interface ExecutionEnvironment {
  readonly pid: number | undefined;
  /** Returns false once the process has ended or is about to. */
  isAlive(): boolean;
  /** Handles one event. Never rejects. Send the next event only after the outcome of this one. */
  invoke(invocation: Omit<Invocation, 'clockOffsetMs'>): Promise<InvokeOutcome>;
  kill(): void;
  readonly ended: Promise<void>;
}

export interface EnvironmentOptions {
  readonly resource: FunctionResource;
  readonly variables: Record<string, string>;
  /** The bundled `bootstrap.ts`. */
  readonly bootstrapFile: string;
  /** Returns the milliseconds by which the local clock is ahead of real time. Read at the start and for each event. */
  readonly clockOffsetMs: () => number;
  /** Called with each line that the function writes to stdout or stderr. */
  readonly onLogLine: (line: string) => void;
  /** Ends the process if this one is killed. A stopped process cannot notice that itself. */
  readonly watchdog: Watchdog;
  /** True if the function runs with only its share of a processor (see `processor-share.ts`). */
  readonly sharesProcessor?: boolean;
}

/** The next event of the process: it replies, exits, or does neither in time. */
type Signal = Reply | { readonly type: 'exited'; readonly status: string } | { readonly type: 'timed-out' };

/** Lambda's limit for loading a bundle. */
const initLimitMs = 10_000;
/** Lambda's limit for the event and for the response of a synchronous invocation. */
export const payloadLimitBytes = 6 * 1024 * 1024;

const noop = () => {};

/**
 * Returns the variable of Node's compile cache. If this process caches compiled code, its functions do too: they load their
 * bundles in half the time.
 */
function compileCache(): Record<string, string> {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}

/** Starts the process. It is ready after about 30 ms plus the time to load its bundle. */
export function startExecutionEnvironment(options: EnvironmentOptions): ExecutionEnvironment {
  const { resource, bootstrapFile, clockOffsetMs, onLogLine, watchdog, sharesProcessor = false } = options;
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${resource.memoryMegabytes}`, bootstrapFile, String(clockOffsetMs())],
    {
      cwd: resource.assetDirectory,
      env: { ...options.variables, ...compileCache() },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A separate process group: the terminal's Ctrl-C reaches only the local cloud, which then stops in order.
      detached: true,
    },
  );
  for (const output of [child.stdout, child.stderr]) {
    // Both outputs are null if the process could not be started.
    if (output !== null) createInterface({ input: output }).on('line', onLogLine);
  }

  if (child.pid !== undefined) watchdog.watch(child.pid);

  let killed = false;
  let exit: Signal | undefined;
  let resolveNext: (signal: Signal) => void = noop;

  const ended = new Promise<void>((settle) => {
    let status: string | undefined;
    function end(): void {
      // The last reply may still be in the channel after the process has exited, so wait for both to end.
      if (status === undefined || child.connected) return;
      if (child.pid !== undefined) watchdog.forget(child.pid);
      exit = { type: 'exited', status };
      resolveNext(exit);
      settle();
    }
    child.on('disconnect', end);
    child.on('exit', (code, signal) => {
      status = signal === null ? `exit status ${code}` : `signal: ${signalNames[signal] ?? signal}`;
      end();
    });
    child.on('error', ({ message }) => {
      if (child.pid !== undefined) return;
      status = message;
      end();
    });
  });
  child.on('message', (reply: Reply) => resolveNext(reply));

  function next(limitMs: number): Promise<Signal> {
    if (exit !== undefined) return Promise.resolve(exit);
    return new Promise((settle) => {
      const timer = setTimeout(() => resolveNext({ type: 'timed-out' }), limitMs);
      resolveNext = (signal) => {
        clearTimeout(timer);
        resolveNext = noop;
        settle(signal);
      };
    });
  }

  function kill(): void {
    killed = true;
    child.kill('SIGKILL');
  }

  /** Lets the process run. @returns a function that freezes it */
  function thaw(): () => void {
    const stopSharing = sharesProcessor ? startSharing(child, resource.memoryMegabytes) : noop;
    child.kill('SIGCONT');
    return () => {
      stopSharing();
      if (!killed) child.kill('SIGSTOP');
    };
  }

  const started = next(initLimitMs);
  return {
    pid: child.pid,
    ended,
    kill,
    isAlive: () => !killed && child.connected,
    async invoke(invocation) {
      let signal = await started;
      let limitMs = initLimitMs;
      if (signal.type === 'ready') {
        limitMs = invocation.timeoutMs;
        const freeze = thaw();
        // If the channel is closed, `next` resolves with the process's exit.
        if (child.connected) child.send({ ...invocation, clockOffsetMs: clockOffsetMs() }, noop);
        signal = await next(limitMs);
        freeze();
      }
      if (signal.type !== 'done' && signal.type !== 'failed') kill();
      return toOutcome(signal, invocation.requestId, limitMs);
    },
  };
}

const signalNames: Readonly<Record<string, string>> = { SIGKILL: 'killed', SIGSEGV: 'segmentation fault' };

function toOutcome(signal: Signal, requestId: string, limitMs: number): InvokeOutcome {
  switch (signal.type) {
    case 'done':
      return withinLimit(signal.payload);
    case 'failed':
    case 'init-failed':
      return { ok: false, error: signal.error };
    case 'timed-out': {
      const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`;
      return { ok: false, error: { errorType: 'Sandbox.Timedout', errorMessage } };
    }
    default: {
      const status = signal.type === 'exited' ? signal.status : 'unexpected answer';
      const errorMessage = `RequestId: ${requestId} Error: Runtime exited with error: ${status}`;
      return { ok: false, error: { errorType: 'Runtime.ExitError', errorMessage } };
    }
  }
}

function withinLimit(payload: string): InvokeOutcome {
  const bytes = Buffer.byteLength(payload);
  if (bytes <= payloadLimitBytes) return { ok: true, result: JSON.parse(payload) };
  const errorMessage = `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${payloadLimitBytes} bytes).`;
  return { ok: false, error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } };
}
