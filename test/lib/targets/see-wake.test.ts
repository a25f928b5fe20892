import { expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { seeWake } from '../../../lib/targets/take.ts';
import { changeTarget, startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

const times = { nearMs: startMs + 3_000, preparableMs: startMs + 93_000 };

it.each([
  ['no wake', { status: 'failed', wakeAt: null }],
  ['a later wake', { wakeAt: '2099-01-01T00:00:00.000Z' }],
] as const)('a read that is older than the wake, and shows %s, decides nothing', async (_state, changes) => {
  const table = await createTestTable();
  const { targets } = await storePost(table, newId(startMs), [{ accountId: newId(startMs) }]);
  for (const target of targets) {
    await changeTarget(table, target, changes);
    const wake = { ...target, wakeNumber: target.wakeNumber + 2 };
    expect(await seeWake(table, wake, times)).toBeUndefined();
  }
  expect(targets).toHaveLength(1);
});
