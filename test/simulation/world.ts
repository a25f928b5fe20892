import { v7 } from 'uuid';
import { secondMs } from '../../lib/kernel/clock.ts';
import { Clockwork } from './clockwork.ts';
import { type FaultName, type Faults, isInjected, type Outage } from './faults.ts';
import { type Random, seededRandom } from './random.ts';

/** Something that runs and can die: one invocation of a function. */
export interface Process {
  readonly name: string;
  /** Whose work it does, where it is one workspace's. */
  readonly workspaceId: string | undefined;
  readonly isDead: () => boolean;
  /** From now on nothing of it happens any more: no answer reaches it, no `catch`, no `finally`. */
  readonly kill: () => void;
}

/** What befalls a process at one of its outside calls. */
export interface Mishap {
  /** Counted over all outside calls of the run, from 1. */
  readonly call: number;
  /** It dies before the call or after its effect, or it stands still until its lease is over and then goes on. */
  readonly kind: 'dies before' | 'dies after' | 'stands still';
}

/** Longer than any lease. */
const standstillMs = 120 * secondMs;

export interface WorldOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly faults: Faults;
  /** From here on nothing goes wrong any more, and all that was begun must come to its end. */
  readonly faultsEndMs: number;
  readonly outages?: readonly Outage[];
  readonly mishap?: Mishap;
  /** Tells every outside call, for a replay. */
  readonly trace?: ((line: string) => void) | undefined;
}

export type World = ReturnType<typeof createWorld>;

/** Time, chance, and the one gate through which all outside calls of the engine go. */
export function createWorld(options: WorldOptions) {
  const { startMs, faults, faultsEndMs, outages = [], mishap, trace } = options;
  const random: Random = seededRandom(options.seed);
  const clockwork = new Clockwork(startMs);
  const { now } = clockwork;
  let calls = 0;
  let violation: string | undefined;

  const happens = (fault: FaultName): boolean => now() < faultsEndMs && random.isTrue(faults[fault] ?? 0);
  const outageOf = (part: Outage['of']): Outage | undefined =>
    outages.find(({ of, fromMs, untilMs }) => of === part && now() >= fromMs && now() < untilMs);
  const tell = (line: string) => trace?.(`${new Date(now()).toISOString()} ${line}`);

  function mishapOf(call: number): Mishap['kind'] | undefined {
    if (mishap?.call === call) return mishap.kind;
    if (happens('crash')) return random.pick(['dies before', 'dies after'] as const);
    return happens('standstill') ? 'stands still' : undefined;
  }

  const world = {
    random,
    clockwork,
    now,
    happens,
    outageOf,
    tell,
    calls: () => calls,
    /** Whether anything may have gone wrong in this run. */
    isCalm: Object.keys(faults).length === 0 && outages.length === 0 && mishap === undefined,
    newId: () => v7({ msecs: now(), random: random.bytes() }),
    violation: () => violation,
    /** The run has shown a bug: it ends here. */
    violate: (what: string) => {
      if (violation === undefined) tell(`VIOLATION ${what}`);
      violation ??= what;
    },

    /**
     * An outside call of a process: the request travels, takes its effect, and the answer travels back. The process may
     * die before it asks or after the effect.
     *
     * @param effect what happens at the other end; what it throws is the answer
     */
    call<Answer>(
      process: Process,
      what: string,
      effect: () => Answer | Promise<Answer>,
      milliseconds: readonly [shortest: number, longest: number] = [1, 15],
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        if (process.isDead()) return;
        calls += 1;
        const call = calls;
        const befalls = mishapOf(call);
        if (befalls === 'dies before') {
          tell(`#${call} ${process.name} dies before: ${what}`);
          process.kill();
          return;
        }
        let requestMs = random.between(...milliseconds);
        let answerMs = random.between(...milliseconds);
        if (happens('slowCall')) requestMs += random.between(0, 3 * secondMs);
        if (happens('slowCall')) answerMs += random.between(0, 3 * secondMs);
        if (befalls === 'stands still') answerMs += standstillMs;
        clockwork.after(requestMs, async () => {
          let settle: () => void;
          try {
            const answer = await effect();
            tell(`#${call} ${process.name}: ${what}`);
            settle = () => resolve(answer);
          } catch (error) {
            tell(`#${call} ${process.name}: ${what} -> ${String(error)}`);
            settle = () => reject(error);
          }
          if (befalls === 'dies after') {
            tell(`#${call} ${process.name} dies after: ${what}`);
            process.kill();
          }
          clockwork.after(answerMs, () => {
            if (!process.isDead()) settle();
          });
        });
      });
    },

    sleep(process: Process, milliseconds: number): Promise<void> {
      return new Promise((resolve) => {
        clockwork.after(milliseconds, () => {
          if (!process.isDead()) resolve();
        });
      });
    },

    /**
     * Runs one invocation until it is done, has failed, or its process is dead: by a crash, or because its time is over.
     */
    async invoke(
      invocation: { name: string; workspaceId?: string | undefined; timeoutMs: number },
      work: (process: Process) => Promise<void>,
    ): Promise<'done' | 'failed' | 'died'> {
      let isDead = false;
      let tellDeath: (outcome: 'died') => void = () => {};
      const death = new Promise<'died'>((resolve) => {
        tellDeath = resolve;
      });
      const process: Process = {
        name: invocation.name,
        workspaceId: invocation.workspaceId,
        isDead: () => isDead,
        kill: () => {
          isDead = true;
          tellDeath('died');
        },
      };
      let isOver = false;
      clockwork.after(invocation.timeoutMs, () => {
        if (!isOver) process.kill();
      });
      const life = work(process).then(
        () => 'done' as const,
        (error: unknown) => {
          if (!isInjected(error)) world.violate(`${process.name} failed by itself: ${describe(error)}`);
          return 'failed' as const;
        },
      );
      const outcome = await Promise.race([life, death]);
      isOver = true;
      return outcome;
    },
  };
  return world;
}

export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
