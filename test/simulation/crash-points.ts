import { minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { drawAccounts } from './accounts.ts';
import type { Faults } from './faults.ts';
import { startMs } from './history.ts';
import { seededRandom } from './random.ts';
import { runScenario, type Scenario, type SimulationPlace, type SimulationResult } from './simulate.ts';
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

/** How many external calls the scenario has. A process can crash before and after each of them. */
export async function countCalls(place: SimulationPlace, faults: Faults): Promise<number> {
  return (await runScenario(place, scenarioWith(faults))).calls;
}

/** Runs the scenario with one mishap. */
export function runMishap(place: SimulationPlace, faults: Faults, mishap: Mishap): Promise<SimulationResult> {
  return runScenario(place, scenarioWith(faults, mishap));
}
