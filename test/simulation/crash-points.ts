import { minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { drawAccounts } from './accounts.ts';
import type { SimulationEngine } from './cloud/engine.ts';
import { inLanes } from './command/lanes.ts';
import type { Faults } from './faults.ts';
import { startMs } from './history.ts';
import { seededRandom } from './random.ts';
import { runScenario, type Scenario } from './simulate.ts';
import type { Mishap } from './world.ts';

const seed = 1;

/** The scenario of one post with two targets and a follow-up, from its creation to its end. */
function scenarioWith(faults: Faults, mishap?: Mishap): Scenario {
  const accounts = drawAccounts(seededRandom(seed), ['instagram', 'youtube'], startMs);
  const [first] = accounts;
  const dueMs = startMs + 10 * minuteMs;
  return {
    world: { seed, startMs, faults, faultsEndMs: startMs + 60 * minuteMs, ...(mishap && { mishap }) },
    workspaces: [accounts],
    posts: [
      {
        workspaceId: first?.workspaceId ?? '',
        name: 'post',
        content: 'text',
        body: {
          platforms: accounts.map(({ id }) => ({ accountId: id })),
          scheduledFor: toTimestamp(dueMs),
          chain: [{ kind: 'followUp', accountIds: [first?.id], afterMinutes: 1, content: 'follows' }],
        },
        atMs: startMs,
        actions: [],
      },
    ],
  };
}

export const mishapKinds = [
  'crashes before',
  'crashes after',
  'pauses before',
  'pauses after',
] as const satisfies readonly Mishap['kind'][];

/** The worlds in which a process has its mishap. */
export const crashWorlds: Readonly<Record<string, Faults>> = {
  'every message comes once': {},
  'every message comes twice': { messageTwice: 1, scheduleTwice: 1, streamTwice: 0.4 },
};

/** What one mishap led to, if it is not that both targets and the follow-up are live once. */
export interface CrashFailure {
  readonly call: number;
  readonly mishapAt: string | undefined;
  readonly violation: string | undefined;
  readonly liveCount: number;
  readonly statuses: readonly string[];
}

/**
 * The calls at which a mishap may leave the outcome of one target unknown, on the platform that publishes a container
 * again if it is asked to: the commit of the intent, and the last call.
 */
const unknownAt = /^(UpdateItem TARGET#|platform: go live$)/;

export interface CrashReport {
  /** The external calls of the scenario. A process can crash before and after each of them. */
  readonly callCount: number;
  readonly failures: readonly CrashFailure[];
  /** The runs in which the outcome of one target is rightly reported as unknown. */
  readonly unknownCount: number;
}

/**
 * Runs the scenario again and again, each time with a mishap at another external call.
 *
 * @param step 1 for every call; 10 for a sample of every tenth
 * @param onRun called after each run
 */
export async function runCrashPoints(
  simulation: SimulationEngine,
  faults: Faults,
  kind: Mishap['kind'],
  { step, onRun }: { readonly step: number; readonly onRun?: () => void },
): Promise<CrashReport> {
  const place = { engine: simulation.engine, tableName: await simulation.createTable() };
  const { calls: callCount } = await runScenario(place, scenarioWith(faults));
  const failures: CrashFailure[] = [];
  let unknownCount = 0;
  // Kinds start at different calls, so that a sample covers more of them.
  let next = 1 + (mishapKinds.indexOf(kind) % step);
  const nextCall = async () => {
    const call = next;
    next += step;
    return call > callCount ? undefined : call;
  };
  await inLanes(simulation, nextCall, async (lane, call) => {
    const result = await runScenario(lane, scenarioWith(faults, { call, kind }));
    const { violation, ledger, targets, mishapAt } = result;
    const unknown = targets.filter(({ error = '' }) => error.startsWith('outcome unknown'));
    const isJustified = unknown.every(
      ({ platform }) => platform === 'instagram' && unknownAt.test(`${mishapAt}`),
    );
    const liveTargets = targets.filter(({ status }) => status === 'published');
    const isHandled =
      targets.length === 3 && liveTargets.length + unknown.length === 3 && unknown.length <= 1;
    // A call of unknown outcome may have taken effect.
    const isLiveOnce = ledger.length >= liveTargets.length && ledger.length <= 3;
    if (violation !== undefined || !isHandled || !isJustified || !isLiveOnce) {
      const statuses = targets.map(({ platform, status, error }) => `${platform} ${status} ${error ?? ''}`);
      failures.push({ call, mishapAt, violation, liveCount: ledger.length, statuses });
    }
    unknownCount += unknown.length;
    onRun?.();
    return result;
  });
  return { callCount, failures, unknownCount };
}
