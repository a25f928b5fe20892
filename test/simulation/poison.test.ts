import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { drawAccounts } from './accounts.ts';
import { type SimulationEngine, startSimulationEngine } from './cloud/engine.ts';
import type { Item } from './cloud/engine-table.ts';
import { InjectedError, noFaults } from './faults.ts';
import { startMs } from './history.ts';
import { seededRandom } from './random.ts';
import { runScenario } from './simulate.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

const seed = 1;
const dueMs = startMs + 10 * minuteMs;
const givenUp = 'an error on our side (given up after 6 hours)';

/** Runs a post with two targets. One fails every worker at the commits chosen by `fails`; nothing else goes wrong. */
async function runPoisoned(fails: (values: Item) => boolean) {
  const accounts = drawAccounts(seededRandom(seed), ['instagram', 'youtube'], startMs);
  const [poisoned] = accounts;
  if (!poisoned) throw new Error('no account');
  const tableName = await simulation.createTable();
  const scenario = {
    world: { seed, startMs, faults: noFaults, faultsEndMs: dueMs + 12 * hourMs },
    workspaces: [accounts],
    posts: [
      {
        workspaceId: poisoned.workspaceId,
        name: 'post',
        content: 'text',
        body: { platforms: accounts.map(({ id }) => ({ accountId: id })), scheduledFor: toTimestamp(dueMs) },
        atMs: startMs,
        actions: [],
      },
    ],
  };
  const result = await runScenario({ engine: simulation.engine, tableName }, scenario, {
    bug: {
      alterRequest: (operation, input) => {
        const [part] = (input['TransactItems'] ?? []) as readonly { Update?: Item }[];
        const update = operation === 'UpdateItem' ? input : part?.Update;
        const { Key, ExpressionAttributeValues: values } = (update ?? {}) as { [name: string]: Item };
        const isPoison = String(Key?.['sk']) === `TARGET#${poisoned.id}`;
        const isCommit = values?.[':timeline'] !== undefined && values[':status'] !== 'failed';
        if (isPoison && isCommit && fails(values)) throw new InjectedError('the item cannot be written');
        return input;
      },
    },
  });
  const { targets, ledger, violation } = result;
  const of = (accountId: string) => targets.find((target) => target.accountId === accountId);
  return {
    violation,
    poisoned: of(poisoned.id),
    other: targets.find(({ accountId }) => accountId !== poisoned.id),
    liveOf: ledger.filter(({ platformAccountId }) => platformAccountId === poisoned.platformAccountId),
    otherLive: ledger.filter(({ platformAccountId }) => platformAccountId !== poisoned.platformAccountId),
    deadLetters: result.deadLetters.map(({ accountId }) => accountId),
  };
}

describe('a target that fails every worker', () => {
  it('fails with a reason and leaves a dead letter; the other target goes live on time', async () => {
    const run = await runPoisoned(() => true);
    expect(run.violation).toBeUndefined();
    expect(run.poisoned).toMatchObject({ status: 'failed', error: givenUp });
    expect(run.liveOf).toEqual([]);
    expect(run.deadLetters).toContain(run.poisoned?.accountId);
    expect(run.deadLetters).not.toContain(run.other?.accountId);
    expect(run.other).toMatchObject({ status: 'published' });
    expect((run.otherLive[0]?.liveMs ?? 0) - dueMs).toBeLessThan(1_500);
  });

  it('after its last call, fails with an unknown outcome and does not go live twice', async () => {
    const run = await runPoisoned((values) => values[':ifStatus'] === 'publishing');
    expect(run.violation).toBeUndefined();
    expect(run.liveOf).toHaveLength(1);
    expect(run.poisoned).toMatchObject({
      status: 'failed',
      error: `outcome unknown: check the account on instagram before retrying (${givenUp})`,
    });
    expect(run.deadLetters).toContain(run.poisoned?.accountId);
  });
});
