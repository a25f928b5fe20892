import { v7 } from 'uuid';
import { secondMs } from '../../lib/kernel/clock.ts';
import { Clockwork } from './clockwork.ts';
import { type FaultName, type Faults, isInjected, type Outage } from './faults.ts';
import { type Random, seededRandom } from './random.ts';

/** One invocation of a function, which can crash. */
export interface Process {
  readonly name: string;
  /** The workspace it works for, if it works for only one. */
  readonly workspaceId: string | undefined;
  readonly isStopped: () => boolean;
  /** Until when it is paused, in epoch milliseconds; a past time if it runs. */
  readonly pausedUntilMs: () => number;
  readonly pauseUntil: (momentMs: number) => void;
  /** Stops the process: it gets no more answers, so that not even its `catch` and `finally` blocks run. */
  readonly kill: () => void;
}

/** A fault of a process at one of its external calls. */
export interface Mishap {
  /** The number of the call among all external calls of the run, from 1. */
  readonly call: number;
  /**
   * The process crashes before the call or after its effect, or it pauses until its lease has ended and then continues.
   * If it pauses before the call, the request goes out after the pause: no check that the process made before can stop it.
   */
  readonly kind: 'crashes before' | 'crashes after' | 'pauses before' | 'pauses after';
}

/** How long a process pauses: longer than any lease. */
const pauseMs = 120 * secondMs;

export interface WorldOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly faults: Faults;
  /** No faults happen after this time, and all work must end. */
  readonly faultsEndMs: number;
  readonly outages?: readonly Outage[];
  readonly mishap?: Mishap;
  /** Called with a line for every external call, for a replay. */
  readonly trace?: ((line: string) => void) | undefined;
}

export type World = ReturnType<typeof createWorld>;

/** Creates a simulated world: time, randomness, and `call`, which makes every external call of the engine. */
export function createWorld(options: WorldOptions) {
  const { startMs, faults, faultsEndMs, outages = [], mishap, trace } = options;
  const random: Random = seededRandom(options.seed);
  const clockwork = new Clockwork(startMs);
  const { now } = clockwork;
  let calls = 0;
  let violation: string | undefined;
  let mishapAt: string | undefined;

  const happens = (fault: FaultName): boolean => now() < faultsEndMs && random.isTrue(faults[fault] ?? 0);
  const outageOf = (part: Outage['of']): Outage | undefined =>
    outages.find(({ of, fromMs, untilMs }) => of === part && now() >= fromMs && now() < untilMs);
  const log = (line: string) => trace?.(`${new Date(now()).toISOString()} ${line}`);

  function mishapOf(call: number): Mishap['kind'] | undefined {
    if (mishap?.call === call) return mishap.kind;
    if (happens('crash')) return random.pick(['crashes before', 'crashes after'] as const);
    return happens('standstill') ? random.pick(['pauses before', 'pauses after'] as const) : undefined;
  }

  /** Continues a process: immediately, when its pause is over, or never if it is stopped. */
  function resume(process: Process, run: () => void): void {
    if (process.isStopped()) return;
    if (now() < process.pausedUntilMs()) clockwork.at(process.pausedUntilMs(), () => resume(process, run));
    else run();
  }

  const world = {
    random,
    clockwork,
    now,
    happens,
    outageOf,
    log,
    calls: () => calls,
    /** The call at which the process had its mishap; undefined if that call was not reached. */
    mishapAt: () => mishapAt,
    /** Whether the run has no faults, outages or mishaps at all. */
    isCalm: Object.keys(faults).length === 0 && outages.length === 0 && mishap === undefined,
    newId: () => v7({ msecs: now(), random: random.bytes() }),
    violation: () => violation,
    /** Reports a bug, which ends the run. Only the first is kept. */
    violate: (what: string) => {
      if (violation === undefined) log(`VIOLATION ${what}`);
      violation ??= what;
    },

    /**
     * Makes an external call of a process. The request, its effect and its answer take simulated time. The process may
     * crash before the request or after the effect.
     *
     * @param effect what the callee does; an error that it throws is its answer
     */
    call<Answer>(
      process: Process,
      what: string,
      effect: () => Answer | Promise<Answer>,
      milliseconds: readonly [shortest: number, longest: number] = [1, 15],
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        if (process.isStopped()) return;
        calls += 1;
        const call = calls;
        const mishapKind = mishapOf(call);
        if (mishap?.call === call) mishapAt = what;
        if (mishapKind === 'crashes before') {
          log(`#${call} ${process.name} crashes before: ${what}`);
          process.kill();
          return;
        }
        let requestMs = random.between(...milliseconds);
        let answerMs = random.between(...milliseconds);
        if (happens('slowCall')) requestMs += random.between(0, 3 * secondMs);
        if (happens('slowCall')) answerMs += random.between(0, 3 * secondMs);
        if (mishapKind === 'pauses before') {
          log(`#${call} ${process.name} pauses before: ${what}`);
          requestMs += pauseMs;
          process.pauseUntil(now() + pauseMs);
        }
        clockwork.after(requestMs, async () => {
          let settle: () => void;
          try {
            const answer = await effect();
            log(`#${call} ${process.name}: ${what}`);
            settle = () => resolve(answer);
          } catch (error) {
            log(`#${call} ${process.name}: ${what} -> ${String(error)}`);
            settle = () => reject(error);
          }
          if (mishapKind === 'crashes after') {
            log(`#${call} ${process.name} crashes after: ${what}`);
            process.kill();
          }
          if (mishapKind === 'pauses after') {
            log(`#${call} ${process.name} pauses after: ${what}`);
            process.pauseUntil(now() + pauseMs);
          }
          clockwork.after(answerMs, () => resume(process, settle));
        });
      });
    },

    sleep(process: Process, milliseconds: number): Promise<void> {
      return new Promise((resolve) => {
        clockwork.after(milliseconds, () => resume(process, resolve));
      });
    },

    /** Starts a task of a process again and again. A stopped or paused process starts none. */
    every(process: Process, milliseconds: number, task: () => Promise<void>): () => void {
      let isOver = false;
      const next = () =>
        clockwork.after(milliseconds, () =>
          resume(process, () => {
            if (isOver) return;
            void task();
            next();
          }),
        );
      next();
      return () => {
        isOver = true;
      };
    },

    /**
     * Runs one invocation until it is done, has failed, or its process was stopped by a crash or the timeout.
     */
    async invoke(
      invocation: { name: string; workspaceId?: string | undefined; timeoutMs: number },
      work: (process: Process) => Promise<void>,
    ): Promise<'done' | 'failed' | 'crashed'> {
      let isStopped = false;
      let pausedUntilMs = 0;
      let resolveCrash: (outcome: 'crashed') => void = () => {};
      const crash = new Promise<'crashed'>((resolve) => {
        resolveCrash = resolve;
      });
      const process: Process = {
        name: invocation.name,
        workspaceId: invocation.workspaceId,
        isStopped: () => isStopped,
        pausedUntilMs: () => pausedUntilMs,
        pauseUntil: (momentMs) => {
          pausedUntilMs = momentMs;
        },
        kill: () => {
          isStopped = true;
          resolveCrash('crashed');
        },
      };
      let isOver = false;
      clockwork.after(invocation.timeoutMs, () => {
        if (!isOver) process.kill();
      });
      const completion = work(process).then(
        () => 'done' as const,
        (error: unknown) => {
          if (!isInjected(error))
            world.violate(`${process.name} failed without an injected fault: ${describe(error)}`);
          return 'failed' as const;
        },
      );
      const outcome = await Promise.race([completion, crash]);
      isOver = true;
      return outcome;
    },
  };
  return world;
}

export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
