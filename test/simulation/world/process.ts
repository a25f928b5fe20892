import { AsyncLocalStorage } from 'node:async_hooks';

/** The version of the service that a process runs: this one, or the next, which is being deployed. */
export type Release = 'this' | 'next';

/** An execution environment of a function, which serves one invocation after the other. */
export interface Environment {
  /** Such as `publish-target #2`. */
  readonly name: string;
  /** Lead of its clock over the true time, in milliseconds. Negative if it is behind. */
  readonly skewMs: number;
  readonly release: Release;
  /** Additional time of each request that it sends. */
  readonly slownessMs?: number | undefined;
}

/** Returns true if it runs one of the functions that work targets. */
export const isTargetWorker = ({ name }: Pick<Environment, 'name'>): boolean =>
  name.startsWith('publish-target') || name.startsWith('upload-target');

/** One invocation of a function in an environment. It can pause or crash at any external call. */
export interface Process extends Environment {
  /** The workspace it works for, if it works for only one. */
  readonly workspaceId: string | undefined;
  /** The environment's clock, in epoch milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  readonly isStopped: () => boolean;
  /** Returns true if the invocation is over. */
  readonly isEnded: () => boolean;
  readonly end: () => void;
  /** Returns the end of its pause, in epoch milliseconds; a past time if it runs. */
  readonly pausedUntilMs: () => number;
  readonly pauseUntil: (momentMs: number) => void;
  /** Stops the process: it gets no more responses, so that not even its `catch` and `finally` blocks run. */
  readonly kill: () => void;
  /** Runs a task later, unless the process was stopped. Returns a function that cancels it. */
  readonly later: (milliseconds: number, task: () => void) => () => void;
  /** Receives what the process logs. */
  readonly logs: (level: 'info' | 'warn' | 'error', message: string, details: unknown) => void;
}

const running = new AsyncLocalStorage<Process>();

/** Runs work as a process. Everything that the work starts belongs to the process. */
export function runAs<Result>(process: Process, work: () => Result): Result {
  return running.run(process, work);
}

/** The process that the current code belongs to; `undefined` outside the simulated service. */
export const processOrNone = (): Process | undefined => running.getStore();

/** @throws Error outside the simulated service */
export function currentProcess(): Process {
  const process = running.getStore();
  if (!process) throw new Error('no simulated process is running');
  return process;
}
