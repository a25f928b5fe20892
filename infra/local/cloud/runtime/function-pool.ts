/** Runs functions as Lambda does: each execution environment handles one event at a time. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import type { TokenBucket } from '../engines/token-bucket.ts';
import type { FunctionResource } from '../model.ts';
import { type Credentials, environmentVariables } from './environment-variables.ts';
import {
  type ExecutionEnvironment,
  type InvokeOutcome,
  payloadLimitBytes,
  startExecutionEnvironment,
} from './execution-environment.ts';
import { invocationsIn, mostInvocations, withInvocation } from './lineage.ts';
import { throttledError } from './messages.ts';
import { startWatchdog } from './watchdog.ts';

export interface FunctionPool {
  /**
   * Invokes a function and waits for the outcome, as in a synchronous invocation. Never rejects. If all of the
   * function's environments are busy, the event waits in a queue.
   */
  invoke(
    functionArn: string,
    event: unknown,
    options?: { readonly traceHeader?: string },
  ): Promise<InvokeOutcome>;
  processes(): readonly FunctionProcess[];
  /** Waits up to `graceMs` for running invocations, then kills every environment. */
  stop(): Promise<void>;
}

/** The process of an execution environment. */
export interface FunctionProcess {
  readonly function: string;
  readonly pid: number;
  /** True if it starts up or handles an event. */
  readonly isBusy: boolean;
}

export interface FunctionPoolOptions {
  readonly functions: readonly FunctionResource[];
  readonly region: string;
  readonly endpointUrl: string;
  readonly credentials: (resource: FunctionResource) => Credentials;
  /** Returns the milliseconds by which the local clock is ahead of real time. */
  readonly clockOffsetMs: () => number;
  /** Returns the maximum number of a function's environments. Its reserved concurrency limits them too. */
  readonly maximumEnvironments: (resource: FunctionResource) => number;
  /** The folder for the bundled bootstrap. */
  readonly workDirectory: string;
  readonly onLogLine: (functionName: string, line: string) => void;
  readonly onInvocation?: (invocation: {
    readonly functionName: string;
    /** The event as JSON. */
    readonly payload: string;
    /** The duration, including the start of the environment if this is its first event. */
    readonly durationMs: number;
  }) => void;
  /** An environment is killed after it has been idle for this long. */
  readonly idleSeconds?: number;
  /** The time for which `stop` waits for running invocations. */
  readonly graceMs?: number;
  /**
   * Limits the number of starting environments. An event that finds no free environment, and may not start one, is refused.
   * Absent: no limit.
   */
  readonly startBucket?: TokenBucket | undefined;
  /** True if functions run with only their share of a processor. If absent, they do not. */
  readonly sharesProcessor?: boolean;
}

interface FunctionState {
  readonly resource: FunctionResource;
  readonly environments: Set<ExecutionEnvironment>;
  /** The idle environments, least recently used first: reaped from the front, reused from the back. */
  readonly idle: { readonly environment: ExecutionEnvironment; readonly sinceMs: number }[];
  /** Waiting events, oldest first. Each gets an environment, or undefined if the pool stops. */
  readonly waiting: ((environment: ExecutionEnvironment | undefined) => void)[];
}

/** The default of `idleSeconds`. It is shorter than in Lambda, because a developer's machine has less memory. */
const defaultIdleSeconds = 120;
const defaultGraceMs = 2_000;

export function createFunctionPool(options: FunctionPoolOptions): FunctionPool {
  const { idleSeconds = defaultIdleSeconds, graceMs = defaultGraceMs } = options;
  const states = new Map<string, FunctionState>(
    options.functions.map((resource) => [
      resource.arn,
      { resource, environments: new Set(), idle: [], waiting: [] },
    ]),
  );
  const bootstrapFile = bundleBootstrap(options.workDirectory);
  const watchdog = startWatchdog();
  const running = new Set<Promise<InvokeOutcome>>();
  let stopping = false;

  function start(state: FunctionState): ExecutionEnvironment {
    const { resource, environments } = state;
    const environment = startExecutionEnvironment({
      resource,
      bootstrapFile,
      clockOffsetMs: options.clockOffsetMs,
      watchdog,
      sharesProcessor: options.sharesProcessor ?? false,
      onLogLine: (line) => options.onLogLine(resource.name, line),
      variables: environmentVariables(resource, {
        region: options.region,
        endpointUrl: options.endpointUrl,
        credentials: options.credentials(resource),
        logStreamName: `local/[$LATEST]${randomBytes(16).toString('hex')}`,
      }),
    });
    environments.add(environment);
    void environment.ended.then(() => {
      environments.delete(environment);
      const index = state.idle.findIndex((entry) => entry.environment === environment);
      if (index >= 0) state.idle.splice(index, 1);
    });
    return environment;
  }

  async function acquire(state: FunctionState): Promise<ExecutionEnvironment | 'throttled' | undefined> {
    for (let entry = state.idle.pop(); entry !== undefined; entry = state.idle.pop()) {
      if (entry.environment.isAlive()) return entry.environment;
    }
    const { resource } = state;
    const limit = Math.min(options.maximumEnvironments(resource), resource.reservedConcurrency ?? Infinity);
    const alive = [...state.environments].filter((environment) => environment.isAlive());
    if (alive.length < limit) return options.startBucket?.take() === false ? 'throttled' : start(state);
    return new Promise((settle) => state.waiting.push(settle));
  }

  function release(state: FunctionState, environment: ExecutionEnvironment): void {
    const next = state.waiting.shift();
    if (next !== undefined) next(environment.isAlive() ? environment : start(state));
    else if (environment.isAlive()) state.idle.push({ environment, sinceMs: performance.now() });
  }

  async function run(state: FunctionState, payload: string, traceHeader: string): Promise<InvokeOutcome> {
    const environment = await acquire(state);
    if (environment === undefined) return stopped;
    if (environment === 'throttled') return throttled;
    const begunMs = performance.now();
    const outcome = await environment.invoke({
      requestId: randomUUID(),
      functionArn: state.resource.arn,
      payload,
      timeoutMs: state.resource.timeoutSeconds * 1000,
      traceHeader,
    });
    options.onInvocation?.({
      functionName: state.resource.name,
      payload,
      durationMs: performance.now() - begunMs,
    });
    if (!outcome.ok) {
      options.onLogLine(state.resource.name, `${outcome.error.errorType}: ${outcome.error.errorMessage}`);
    }
    release(state, environment);
    return outcome;
  }

  const reaper = setInterval(() => {
    const oldest = performance.now() - idleSeconds * 1000;
    for (const { idle } of states.values()) {
      while (idle[0] !== undefined && idle[0].sinceMs < oldest) idle.shift()?.environment.kill();
    }
  }, idleSeconds * 100).unref();

  return {
    async invoke(functionArn, event, { traceHeader = newTraceHeader() } = {}) {
      const state = states.get(functionArn);
      if (state === undefined)
        return failure('ResourceNotFoundException', `Function not found: ${functionArn}`);
      if (stopping) return stopped;
      if (state.resource.reservedConcurrency === 0) return throttled;
      const { name, allowsLoops = false } = state.resource;
      if (!allowsLoops && invocationsIn(traceHeader, functionArn) >= mostInvocations) {
        const message = `Lambda has stopped a recursive loop: the same chain of events has invoked ${name} ${mostInvocations} times.`;
        options.onLogLine(name, message);
        return failure('RecursiveInvocationException', message);
      }
      const payload = JSON.stringify(event);
      if (Buffer.byteLength(payload) > payloadLimitBytes) {
        return failure('RequestTooLargeException', `the event is larger than ${payloadLimitBytes} bytes`);
      }
      const outcome = run(state, payload, withInvocation(traceHeader, functionArn));
      running.add(outcome);
      return outcome.finally(() => running.delete(outcome));
    },
    processes: () =>
      [...states.values()].flatMap(({ resource, environments, idle }) =>
        [...environments].flatMap((environment) => {
          const { pid } = environment;
          const isBusy = !idle.some((entry) => entry.environment === environment);
          return pid === undefined ? [] : [{ function: resource.name, pid, isBusy }];
        }),
      ),
    async stop() {
      stopping = true;
      clearInterval(reaper);
      for (const { waiting } of states.values()) {
        for (const give of waiting.splice(0)) give(undefined);
      }
      const environments = () => [...states.values()].flatMap((state) => [...state.environments]);
      if (running.size > 0)
        await Promise.race([Promise.allSettled(running), wait(graceMs, undefined, { ref: false })]);
      for (const environment of environments()) environment.kill();
      await Promise.all(environments().map(({ ended }) => ended));
      watchdog.stop();
    },
  };
}

/** Bundles the bootstrap: its process then starts twice as fast as if Node had to strip the types from three files. */
function bundleBootstrap(workDirectory: string): string {
  const outfile = join(workDirectory, 'bootstrap.mjs');
  mkdirSync(workDirectory, { recursive: true });
  buildSync({
    entryPoints: [join(import.meta.dirname, 'bootstrap.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'silent',
  });
  return outfile;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html#calculating-concurrency-throttling */
const throttled = failure(throttledError, 'Rate Exceeded.');
const stopped = failure('ServiceException', 'the local cloud is stopping');

function failure(errorType: string, errorMessage: string): InvokeOutcome {
  return { ok: false, error: { errorType, errorMessage } };
}

function newTraceHeader(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')};Sampled=0`;
}
