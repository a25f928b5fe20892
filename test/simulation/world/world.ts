import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { v7 } from 'uuid';
import { ZodError } from 'zod';
import { SchedulerRestsError } from '../../../lib/aws/scheduler-guard.ts';
import { hourMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { StoryEntry, Tell } from '../story.ts';
import { Clockwork } from './clockwork.ts';
import { type FaultName, type Faults, isInjected, type Outage } from './faults.ts';
import { type Environment, type Process, type Release, runAs } from './process.ts';
import { type Random, seededRandom } from './random.ts';

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

/** An external call of a run. */
export interface NumberedCall {
  /** Its number among all external calls of the run, from 1. */
  readonly call: number;
  /** The name of the caller's environment. */
  readonly actor: string;
  readonly what: string;
  readonly atMs: number;
}

/** Something that happens outside the service at an external call. */
export interface Interruption {
  /** The number of the call. */
  readonly call: number;
  /** True if the call's request goes out only once the happening is over. */
  readonly isAwaited: boolean;
  readonly happen: () => Promise<void>;
}

/** The container of an execution environment, which is frozen between its invocations. */
interface Container {
  /** Its invocation; undefined while it is frozen. */
  running?: Process;
  /** The work that its invocations have not waited for. */
  readonly frozen: (() => void)[];
}

/** Duration of a process's pause: longer than any lease. */
const pauseMs = 120 * secondMs;

export interface WorldOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly faults: Faults;
  /** No faults happen after this time, and all work must end. */
  readonly faultsEndMs: number;
  readonly outages?: readonly Outage[];
  readonly mishap?: Mishap;
  /** Maximum error of the clocks of processes. */
  readonly clockSkewMs?: number;
  /** The rollout of the next release: in this time, invocations run either release, and afterwards only the next. */
  readonly rollout?: { readonly fromMs: number; readonly untilMs: number };
}

/** The longest time limit of a function: an invocation of this release may end so long after the rollout. */
const longestRunMs = 300 * secondMs;

/** Share of the reads of the index that may meet a mishap. */
const idleShare = 0.05;

/** The behaviour of an external call. */
export interface CallOptions<Answer> {
  /** Duration of the request, and of its response. */
  readonly milliseconds?: readonly [shortest: number, longest: number];
  /** Delay in addition to a usual request and a usual response. */
  readonly requestDelayMs?: number;
  readonly responseDelayMs?: number;
  /** The caller's time limit: it then stops waiting and gets the error. The request stays on its way. */
  readonly limit?: { readonly ms: number; readonly error: () => Error };
  /** Describes an answer for the story: more text, or that it is not what the caller hoped for. */
  readonly tell?: (answer: Answer) => { readonly more?: string; readonly outcome?: string };
}

/** Something that went wrong because of a fault. */
export interface Trouble {
  readonly kind: FaultName | 'slow';
  /** The environment that it happened to; undefined if that is not known. */
  readonly actor: string | undefined;
  readonly fromMs: number;
  /** The end of its effects. */
  readonly untilMs: number;
}

/** Watchers of a run, which are no part of its scenario. */
export interface WorldHooks {
  readonly tell?: Tell | undefined;
  /** Called when an external call begins. */
  readonly onCall?: ((call: NumberedCall) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

export type World = ReturnType<typeof createWorld>;

/** Creates a simulated world: time, randomness, processes, and `call`, which makes every external call of the service. */
export function createWorld(options: WorldOptions, hooks: WorldHooks = {}) {
  const { tell = () => undefined, onCall, interruption } = hooks;
  const { startMs, faults, faultsEndMs, outages = [], mishap, clockSkewMs = 0, rollout } = options;
  const random: Random = seededRandom(options.seed);
  const clockwork = new Clockwork(startMs);
  const { now } = clockwork;
  let calls = 0;
  let violation: string | undefined;
  let mishapAt: string | undefined;
  let mishapMs: number | undefined;
  const endListeners: ((process: Process) => void)[] = [];
  /** While it is true, nothing goes wrong. */
  let isQuiet = false;
  const waits = new Map<string, number>();
  let lastTroubleMs = Math.max(startMs, rollout?.untilMs ?? 0, ...outages.map(({ untilMs }) => untilMs));

  const note = (kind: StoryEntry['kind'], actor: string, text: string, outcome?: string) =>
    tell({ atMs: now(), actor, kind, text, ...(outcome !== undefined && { outcome }) });
  const troubles: Trouble[] = [];
  /** The actor of the external call that has its effect now. */
  let actorNow: string | undefined;
  const troubleUntil = (momentMs: number, kind: Trouble['kind'] = 'slow', actor = actorNow) => {
    lastTroubleMs = Math.max(lastTroubleMs, momentMs);
    troubles.push({ kind, actor, fromMs: now(), untilMs: momentMs });
  };
  const happens = (fault: FaultName): boolean => {
    if (isQuiet || now() >= faultsEndMs || !random.isTrue(faults[fault] ?? 0)) return false;
    troubleUntil(now(), fault);
    return true;
  };
  const outageOf = (part: Outage['of']): Outage | undefined =>
    isQuiet
      ? undefined
      : outages.find(({ of, fromMs, untilMs }) => of === part && now() >= fromMs && now() < untilMs);

  function mishapOf(call: number, what: string): Mishap['kind'] | undefined {
    if (mishap?.call === call) return mishap.kind;
    // Most calls are the sweeps' reads of an empty index, at which a mishap shows nothing.
    if (what.startsWith('reads the index') && !random.isTrue(idleShare)) return undefined;
    if (happens('crash')) return random.pick(['crashes before', 'crashes after'] as const);
    return happens('standstill') ? random.pick(['pauses before', 'pauses after'] as const) : undefined;
  }

  const containers = new WeakMap<Environment, Container>();

  function containerOf(environment: Environment): Container {
    const container = containers.get(environment) ?? { frozen: [] };
    containers.set(environment, container);
    return container;
  }

  /**
   * Continues a process: immediately, when a pause of its environment is over, or never if that has crashed. Between invocations the
   * environment is frozen: work that its invocation has not waited for goes on in the next one, if there is one.
   */
  function resume(process: Process, run: () => void): void {
    const { running, frozen } = containerOf(process);
    if (process.isStopped() || running?.isStopped()) return;
    if (running === undefined) frozen.push(run);
    else if (now() < running.pausedUntilMs())
      clockwork.at(running.pausedUntilMs(), () => resume(process, run));
    else run();
  }

  function pause(process: Process): void {
    process.pauseUntil(now() + pauseMs);
    troubleUntil(now() + pauseMs, 'standstill', process.name);
  }

  function openProcess(
    environment: Environment,
    workspaceId: string | undefined,
    onKill: () => void,
  ): Process {
    let isStopped = false;
    let isEnded = false;
    let pausedUntilMs = 0;
    const process: Process = {
      ...environment,
      workspaceId,
      now: () => now() + environment.skewMs,
      random: random.next,
      isStopped: () => isStopped,
      isEnded: () => isEnded,
      end: () => {
        isEnded = true;
      },
      pausedUntilMs: () => pausedUntilMs,
      pauseUntil: (momentMs) => {
        pausedUntilMs = momentMs;
      },
      kill: () => {
        isStopped = true;
        onKill();
      },
      later(milliseconds, task) {
        let isCancelled = false;
        const run = () => {
          if (!isCancelled) task();
        };
        clockwork.after(milliseconds, () => {
          // Otherwise each invocation would have to go through the timers of all earlier ones.
          if (!isCancelled) resume(process, run);
        });
        return () => {
          isCancelled = true;
        };
      },
      logs(level, message, details) {
        const error =
          details instanceof Error ? details : (details as { error?: unknown } | undefined)?.error;
        const kind = level === 'info' ? 'call' : 'note';
        note(kind, environment.name, `logs "${message}"`, error === undefined ? undefined : textOf(error));
        if (level === 'error' && error !== undefined && !isExplained(process, error, message))
          world.violate(
            `${environment.name} reported "${message}" without an injected fault: ${errorText(error)}`,
          );
      },
    };
    return process;
  }

  /**
   * Returns true if a fault explains an error: the simulation caused it, or this release cannot read what the next one wrote.
   */
  function isExplained({ release }: Environment, error: unknown, message: string): boolean {
    const isMixed =
      rollout !== undefined && now() >= rollout.fromMs && now() <= rollout.untilMs + longestRunMs;
    const isUnreadable = error instanceof ZodError && release === 'this' && isMixed;
    // After faults or slow calls of Scheduler, no request is made for a while.
    const isRest = error instanceof SchedulerRestsError;
    // A queue's refusals are counted, not passed on.
    // Its cause is an answer of the platform, or none. It is tried again for as long as the upload exists.
    const isOfUpload = message === 'an unpublished upload was not deleted' && !world.isCalm;
    const isRefused = /did not accept/.test(`${message} ${error}`);
    return isInjected(error) || isUnreadable || isRest || isOfUpload || isRefused;
  }

  const world = {
    /** Returns the release that a new invocation runs. */
    releaseNow(): Release {
      if (!rollout || now() < rollout.fromMs) return 'this';
      return now() >= rollout.untilMs || random.isTrue(0.5) ? 'next' : 'this';
    },
    random,
    clockwork,
    now,
    happens,
    outageOf,
    note,
    faultsEndMs,
    clockSkewMs,
    /** Notes that something which was caused by a fault lasts until then. */
    troubleUntil,
    /** Notes that a platform has asked its callers to wait. */
    noteWait(platform: string, untilMs: number): void {
      waits.set(platform, Math.max(untilMs, waits.get(platform) ?? 0));
    },
    /** Returns the time until which a platform has asked its callers to wait, in epoch milliseconds; 0 if it has not. */
    waitUntilMs: (platform: string) => waits.get(platform) ?? 0,
    /** Returns the end of the last fault that has happened so far. */
    lastTroubleMs: () => lastTroubleMs,
    troubles: (): readonly Trouble[] => troubles,
    outages,
    rollout,
    /** Calls the listener after each invocation that did not crash. */
    whenEnded: (listener: (process: Process) => void) => endListeners.push(listener),
    calls: () => calls,
    /** The call at which the process had its mishap; undefined if that call was not reached. */
    mishapAt: () => mishapAt,
    /** Returns the time of the mishap, in epoch milliseconds. */
    mishapMs: () => mishapMs,
    /** True if the run has no faults, outages or mishaps at all, and no call waits for an act. */
    isCalm:
      Object.keys(faults).length === 0 &&
      outages.length === 0 &&
      mishap === undefined &&
      !interruption?.isAwaited,
    drawSkewMs: () => Math.round(random.between(-clockSkewMs, clockSkewMs)),
    newId: () => v7({ msecs: now(), random: random.bytes() }),
    violation: () => violation,
    /** Reports a bug, which ends the run. Only the first is kept. */
    violate: (what: string) => {
      if (violation === undefined) note('violation', 'judge', what);
      violation ??= what;
    },

    /** Starts something that must not fail, and goes on. */
    start(task: () => Promise<void>): void {
      task().catch((error: unknown) => world.violate(errorText(error)));
    },

    /**
     * Makes an external call of a process. The request, its effect and its response take simulated time. The process may
     * crash before the request or after the effect.
     *
     * @param effect what the callee does; an error that it throws is its response
     */
    call<Answer>(
      caller: Process,
      what: string,
      effect: () => Answer | Promise<Answer>,
      options: CallOptions<Answer> = {},
    ): Promise<Answer> {
      const {
        milliseconds = [1, 15],
        requestDelayMs = 0,
        responseDelayMs = 0,
        limit,
        tell: describe,
      } = options;
      // What an earlier invocation has left undone shares the fate of the one in which it goes on.
      const process = containerOf(caller).running;
      return new Promise((resolve, reject) => {
        if (process === undefined) {
          resume(caller, () => resolve(world.call(caller, what, effect, options)));
          return;
        }
        if (process.isStopped()) return;
        if (!isQuiet) calls += 1;
        const call = isQuiet ? 0 : calls;
        if (!isQuiet) onCall?.({ call, actor: process.name, what, atMs: now() });
        const mishapKind = mishapOf(call, what);
        if (mishap?.call === call) [mishapAt, mishapMs] = [what, now()];
        if (mishapKind !== undefined) troubleUntil(now());
        if (mishapKind !== undefined) note('fault', process.name, `${mishapKind} call ${call}: ${what}`);
        if (mishapKind === 'crashes before') {
          process.kill();
          return;
        }
        let requestMs = random.between(...milliseconds) + requestDelayMs + (process.slownessMs ?? 0);
        let responseMs = random.between(...milliseconds) + responseDelayMs;
        if (happens('slowCall')) requestMs += random.between(0, 3 * secondMs);
        if (happens('slowCall')) responseMs += random.between(0, 3 * secondMs);
        if (mishapKind === 'pauses before') {
          requestMs += pauseMs;
          pause(process);
        }
        const isLate = requestMs + responseMs > 2 * milliseconds[1];
        if (isLate) troubleUntil(now() + requestMs + responseMs, 'slow', process.name);
        let isSettled = false;
        if (limit)
          clockwork.after(limit.ms, () => {
            // A client clears its timer when a call ends.
            if (!isSettled) resume(process, () => reject(limit.error()));
          });
        const request = async () => {
          // A process that is killed while it is paused never sends its request.
          if (mishapKind === 'pauses before' && process.isStopped()) return;
          let settle: () => void;
          actorNow = process.name;
          try {
            const answer = await effect();
            const { more = '', outcome } = describe?.(answer) ?? {};
            if (!isQuiet) note('call', process.name, what + more, outcome);
            settle = () => resolve(answer);
          } catch (error) {
            note('call', process.name, what, textOf(error));
            settle = () => reject(error);
          }
          actorNow = undefined;
          if (mishapKind === 'crashes after') process.kill();
          if (mishapKind === 'pauses after') pause(process);
          clockwork.after(responseMs, () =>
            resume(process, () => {
              isSettled = true;
              settle();
            }),
          );
        };
        const isInterrupted = !isQuiet && interruption?.call === call;
        const happening = isInterrupted ? interruption.happen() : undefined;
        if (happening && interruption?.isAwaited)
          void happening.then(() => clockwork.after(requestMs, request));
        else clockwork.after(requestMs, request);
      });
    },

    sleep(process: Process, milliseconds: number): Promise<void> {
      return new Promise((resolve) => {
        process.later(milliseconds, resolve);
      });
    },

    /** Runs work in a process before the run begins: no call of it goes wrong or is counted. */
    async invokeQuietly(name: string, work: () => Promise<void>): Promise<void> {
      isQuiet = true;
      const outcome = await world.invoke({ name, skewMs: 0, release: 'this' }, { timeoutMs: hourMs }, work);
      isQuiet = false;
      if (outcome.kind === 'failed') throw outcome.error;
    },

    /**
     * Runs one invocation until it is done, has failed, or its process was stopped by a crash or the timeout.
     *
     * @param environment where it runs
     */
    async invoke<Result>(
      environment: Environment,
      { workspaceId, timeoutMs, mayFailWith }: InvocationOptions,
      work: (process: Process) => Promise<Result>,
    ): Promise<InvocationOutcome<Result>> {
      let resolveCrash: (outcome: { kind: 'crashed' }) => void = () => {};
      const crash = new Promise<{ kind: 'crashed' }>((resolve) => {
        resolveCrash = resolve;
      });
      const process = openProcess(environment, workspaceId, () => resolveCrash({ kind: 'crashed' }));
      const container = containerOf(environment);
      containers.set(process, container);
      container.running = process;
      for (const run of container.frozen.splice(0)) clockwork.after(0, () => resume(process, run));
      let isOver = false;
      clockwork.after(timeoutMs, () => {
        if (isOver || process.isStopped()) return;
        note('fault', process.name, 'reaches its time limit and is stopped');
        process.kill();
      });
      const completion = runAs(process, () => work(process)).then(
        (result) => ({ kind: 'done', result }) as const,
        (error: unknown) => {
          if (!mayFailWith?.test(String(error)) && !isExplained(process, error, ''))
            world.violate(`${process.name} failed without an injected fault: ${errorText(error)}`);
          return { kind: 'failed', error } as const;
        },
      );
      const outcome = await Promise.race([completion, crash]);
      isOver = true;
      process.end();
      delete container.running;
      if (outcome.kind !== 'crashed') for (const listener of endListeners) listener(process);
      return outcome;
    },
  };
  return world;
}

interface InvocationOptions {
  /** The workspace it works for, if it works for only one. */
  readonly workspaceId?: string | undefined;
  readonly timeoutMs: number;
  /** Errors that the function may throw on its own: a periodic function that has logged failures does, for its alarm. */
  readonly mayFailWith?: RegExp | undefined;
}

export type InvocationOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'crashed' };

/** An error in one line. */
function textOf(error: unknown): string {
  if (error instanceof ConditionalCheckFailedException) return 'the condition is not met';
  const text = error instanceof Error && isInjected(error) ? error.message : String(error);
  return text.split('\n', 1).join();
}

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = error instanceof AggregateError ? error.errors.map(errorText) : [];
  return [error.stack ?? error.message, ...parts].join('\n');
}
