import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { Item } from '../../support/database/database.ts';
import type { AlterRequest } from '../cloud/table.ts';
import { startMs } from '../scenario/history.ts';
import { runScenario } from '../simulate.ts';
import { InjectedError } from '../world/faults.ts';
import { directedScenario, postToAll } from './scenario.ts';

const poisonedPlatform = 'instagram';
const dueMs = startMs + 10 * minuteMs;
const givenUp = 'an error on our side (given up after 6 hours)';

/** Runs a post. Its target on one platform fails every worker at the commits chosen by `fails`; nothing else goes wrong. */
async function runPoisoned(fails: (values: Item) => boolean) {
  const scenario = directedScenario({ posts: [postToAll('post', dueMs)] });
  const bug = { alterRequest: failCommits(fails) };
  const { targets, ledger, violation, deadLetters } = await runScenario(scenario, {
    bug,
  });
  return {
    violation,
    poisoned: targets.find(({ platform }) => platform === poisonedPlatform),
    others: targets.filter(({ platform }) => platform !== poisonedPlatform),
    live: ledger.filter(({ platform }) => platform === poisonedPlatform),
    otherLive: ledger.filter(({ platform }) => platform !== poisonedPlatform),
    deadLetters: deadLetters.map((body) => (JSON.parse(body) as { accountId: string }).accountId),
  };
}

function failCommits(fails: (values: Item) => boolean): AlterRequest {
  let poisonedKey: unknown;
  return (operation, input) => {
    const parts =
      operation === 'TransactWriteItems' ? (input['TransactItems'] as Record<string, Item>[]) : [];
    for (const { Put } of parts) {
      const item = Put?.['Item'] as Item | undefined;
      if (item?.['kind'] === 'target' && item['platform'] === poisonedPlatform) poisonedKey = item['sk'];
    }
    const updates: Item[] =
      operation === 'UpdateItem' ? [input] : parts.flatMap(({ Update }) => (Update ? [Update] : []));
    for (const update of updates) {
      const values = (update['ExpressionAttributeValues'] ?? {}) as Item;
      const isPoisoned = poisonedKey !== undefined && (update['Key'] as Item)['sk'] === poisonedKey;
      const isCommit = values[':timeline'] !== undefined && values[':status'] !== 'failed';
      if (isPoisoned && isCommit && fails(values)) throw new InjectedError('the item cannot be written');
    }
    return input;
  };
}

describe('a target that fails every worker', () => {
  it('fails with a reason and leaves a dead letter; the other targets go live on time', async () => {
    const run = await runPoisoned(() => true);
    expect(run.violation).toBeUndefined();
    expect(run.poisoned).toMatchObject({ status: 'failed', error: givenUp });
    expect(run.live).toEqual([]);
    expect(run.deadLetters).toContain(run.poisoned?.accountId);
    for (const other of run.others) {
      expect(other).toMatchObject({ status: 'published' });
      expect(run.deadLetters).not.toContain(other.accountId);
    }
    expect(run.otherLive).toHaveLength(2);
    for (const { liveMs } of run.otherLive) expect(liveMs - dueMs).toBeLessThan(1_500);
  });

  it('after its last call, fails with an unknown outcome and does not go live twice', async () => {
    const run = await runPoisoned((values) => values[':ifStatus'] === 'publishing');
    expect(run.violation).toBeUndefined();
    expect(run.live).toHaveLength(1);
    expect(run.poisoned).toMatchObject({
      status: 'failed',
      error: `outcome unknown: check the account on instagram before retrying (${givenUp})`,
    });
    expect(run.deadLetters).toContain(run.poisoned?.accountId);
  });
});
