import { hourMs, minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { drawAccounts } from './accounts.ts';
import { noFaults, type Outage } from './faults.ts';
import { startMs } from './history.ts';
import { seededRandom } from './random.ts';
import { runScenario, type SimulationPlace, type SimulationResult } from './simulate.ts';

const seed = 1;

export interface OutageRun extends SimulationResult {
  /** When the outage ended. */
  readonly backMs: number;
  /** One line per target, such as `early instagram: published`. */
  readonly outcomes: readonly string[];
  /** The due time of each post, by its name. */
  readonly dueMs: Readonly<Record<string, number>>;
}

/** Runs posts that were scheduled before an outage: due early in it, in its middle, at its end, and after it. */
export async function runOutage(place: SimulationPlace, of: Outage['of'], hours: number): Promise<OutageRun> {
  const accounts = drawAccounts(seededRandom(seed), ['instagram', 'youtube'], startMs);
  const { workspaceId = '' } = accounts[0] ?? {};
  const fromMs = startMs + 5 * minuteMs;
  const backMs = fromMs + hours * hourMs;
  const dueMs = {
    early: fromMs + 20 * minuteMs,
    middle: fromMs + (hours * hourMs) / 2,
    late: backMs - minuteMs,
    after: backMs + 30 * minuteMs,
  };
  const result = await runScenario(place, {
    world: {
      seed,
      startMs,
      faults: noFaults,
      faultsEndMs: backMs,
      outages: [{ of, fromMs, untilMs: backMs }],
    },
    workspaces: [accounts],
    posts: Object.entries(dueMs).map(([name, due]) => ({
      workspaceId,
      name,
      content: name,
      body: { platforms: accounts.map(({ id }) => ({ accountId: id })), scheduledFor: toTimestamp(due) },
      atMs: startMs,
      actions: [],
    })),
  });
  const names = new Map(Object.entries(dueMs).map(([name, due]) => [toTimestamp(due), name]));
  const outcomes = result.targets.map(({ platform, scheduledFor = '', status, error = '' }) => {
    const outcome = error.startsWith('missed') ? 'missed' : status;
    return `${names.get(scheduledFor)} ${platform}: ${outcome}`;
  });
  return { ...result, backMs, outcomes, dueMs };
}
