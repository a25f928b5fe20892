import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { isInDoubt } from '../judge/calls.ts';
import { startMs } from '../scenario/history.ts';
import type { Scenario } from '../scenario/plan.ts';
import { runScenario, type SimulationResult } from '../simulate.ts';
import type { Faults } from '../world/faults.ts';
import type { Mishap } from '../world/world.ts';
import { accounts, directedScenario, postToAll } from './scenario.ts';

export const mishapKinds = [
  'crashes before',
  'crashes after',
  'pauses before',
  'pauses after',
] as const satisfies readonly Mishap['kind'][];

/** A world in which a process has its mishap. */
export interface CrashWorld {
  readonly faults: Faults;
  /** True if the queues deliver a message again after its consumer did not finish it. */
  readonly redelivers: boolean;
}

export const crashWorlds: Readonly<Record<string, CrashWorld>> = {
  'every message comes once': { faults: {}, redelivers: true },
  'every message comes twice': {
    faults: { messageTwice: 1, scheduleTwice: 1, streamTwice: 0.4 },
    redelivers: true,
  },
  'no message comes again': { faults: {}, redelivers: false },
};

/** One post with three targets, a first comment and a follow-up, from the upload of its files to the webhooks of its end. */
export function crashScenario({ faults, redelivers }: CrashWorld, mishap?: Mishap): Scenario {
  const linkedin = accounts.findIndex(({ platform }) => platform === 'linkedin');
  const toAll = postToAll('post', startMs + 10 * minuteMs);
  const post = {
    ...toAll,
    targets: toAll.targets.map((target) => ({ ...target, hasFirstComment: true })),
    chain: [{ kind: 'followUp', account: linkedin, afterMinutes: 1 } as const],
  };
  return directedScenario({
    posts: [post],
    world: { faults, ...(mishap && { mishap }) },
    deployment: { redelivers },
    workspace: { hasWebhook: true },
  });
}

const targetCount = accounts.length + 1;

/** The result of one mishap after which not all targets are live once. */
export interface CrashFailure {
  readonly call: number;
  readonly mishapAt: string | undefined;
  readonly violation: string | undefined;
  readonly liveCount: number;
  readonly statuses: readonly string[];
}

/** The last calls that a mishap may hit, with their outcome. Not YouTube's: an upload session makes one video at most. */
const lastCalls: Readonly<Record<string, RegExp>> = {
  instagram: /^instagram: POST .*\/media_publish$/,
  linkedin: /^linkedin: POST .*\/posts$/,
};
/** Time from the commit of an intent to the end of its call, if nothing goes wrong. */
const callMs = 2 * secondMs;

export interface CrashReport {
  /** The external calls of the scenario. A process can crash before and after each of them. */
  readonly callCount: number;
  readonly failures: readonly CrashFailure[];
  /** Number of targets with an outcome that is rightly reported as unknown. */
  readonly unknownCount: number;
}

/**
 * Runs the scenario again and again, each time with a mishap at another external call.
 *
 * @param step 1 for every call; 10 for a sample of every tenth
 * @param onRun called after each run
 */
export async function runCrashPoints(
  world: CrashWorld,
  kind: Mishap['kind'],
  { step, onRun }: { readonly step: number; readonly onRun?: () => void },
): Promise<CrashReport> {
  const { calls: callCount, violation } = await runScenario(crashScenario(world));
  if (violation !== undefined) throw new Error(`without any mishap: ${violation}`);
  const failures: CrashFailure[] = [];
  let unknownCount = 0;
  // Kinds start at different calls, so that a sample covers more of them.
  const first = 1 + Math.floor((mishapKinds.indexOf(kind) * step) / mishapKinds.length);
  for (let call = first; call <= callCount; call += step) {
    const result = await runScenario(crashScenario(world, { call, kind }));
    if (!isHandled(result)) failures.push(failureOf(call, result));
    unknownCount += unknownOf(result).length;
    onRun?.();
  }
  return { callCount, failures, unknownCount };
}

const unknownOf = ({ targets }: SimulationResult) => targets.filter(({ error }) => isInDoubt(error));

/** Returns true if each target is live once, or its outcome is unknown for a good reason. */
function isHandled(result: SimulationResult): boolean {
  const { violation, ledger, targets } = result;
  if (violation !== undefined || targets.length !== targetCount) return false;
  const liveTargets = targets.filter(({ status }) => status === 'published');
  const unknown = unknownOf(result);
  const isJustified = unknown.every((target) => wasHit(target, result));
  if (liveTargets.length + unknown.length !== targetCount || !isJustified) return false;
  // A call of unknown outcome may have taken effect.
  return ledger.length >= liveTargets.length && ledger.length <= targetCount;
}

/**
 * Returns true if the mishap was in a commit of the target or in its last call; or, in work on another target, during that
 * call.
 */
function wasHit(
  { postId, accountId, platform, calls = [] }: Target,
  { mishapAt = '', mishapMs = 0 }: SimulationResult,
): boolean {
  const lastCall = lastCalls[platform];
  if (!lastCall) return false;
  if (lastCall.test(mishapAt) || mishapAt === `updates the target of ${postId} on ${accountId}`) return true;
  // A worker works several targets of a post at once.
  const isOfAnother =
    mishapAt.startsWith('updates the target of ') ||
    Object.values(lastCalls).some((each) => each.test(mishapAt));
  const intentMs = Date.parse(calls.at(-1)?.intentAt ?? '');
  return isOfAnother && Math.abs(mishapMs - intentMs) <= callMs;
}

function failureOf(call: number, { mishapAt, violation, ledger, targets }: SimulationResult): CrashFailure {
  const statuses = targets.map(({ platform, status, error = '' }) => `${platform} ${status} ${error}`);
  return { call, mishapAt, violation, liveCount: ledger.length, statuses };
}
