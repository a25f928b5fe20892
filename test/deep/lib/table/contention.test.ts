import { createTokenBuckets } from '@herald/local-cloud/engines/token-bucket.ts';
import { startTestCloud, type TestCloud } from '@herald/local-cloud/testing/cloud.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freeTime } from '../../../../lib/calendar/free.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { reserveMedia } from '../../../../lib/media/store.ts';
import { batchGet } from '../../../../lib/table/batch-get.ts';
import { batchWrite } from '../../../../lib/table/batch-write.ts';
import { absent, unconditionally } from '../../../../lib/table/condition.ts';
import { deleteItem, getItem, putIfAbsent, putItem, updateItem } from '../../../../lib/table/items.ts';
import { calendarEntryKey } from '../../../../lib/table/keys.ts';
import { openTable, type Table } from '../../../../lib/table/table.ts';
import { putPart, transact, transactGet, updatePart } from '../../../../lib/table/transaction.ts';
import { plus } from '../../../../lib/table/update.ts';
import { aMedia, openWorkspace, startMs } from '../../../support/builders.ts';

const buckets = createTokenBuckets();
const timing = { transactionHoldMs: 0, indexLagMs: 0 };
let cloud: TestCloud;
let table: Table;
let onArrival = (_action: string) => {};
beforeAll(async () => {
  cloud = await startTestCloud({
    buckets,
    databaseTiming: timing,
    onAwsCall: ({ action }) => onArrival(action),
  });
  const { endpoint, region, credentials } = cloud.client();
  table = openTable('posts', { endpoint, region, credentials });
});
afterAll(() => cloud.stop());
beforeEach(() => {
  timing.transactionHoldMs = 0;
  buckets.dynamodb.setRate(undefined);
});

/** Begins a transaction that holds an item, for a tenth of a second unless said. @returns a function that waits for its end */
async function holdItem(key: { pk: string; sk: string }, holdMs = 100): Promise<() => Promise<unknown>> {
  timing.transactionHoldMs = holdMs;
  const arrived = new Promise<void>((resolve) => {
    onArrival = (action) => action === 'TransactWriteItems' && resolve();
  });
  const transaction = transact(table, [updatePart(table, key, { set: { held: true }, if: unconditionally })]);
  await arrived;
  return () => transaction;
}

describe('a write of an item that a transaction holds', () => {
  const key = { pk: 'contended', sk: 'item' };
  const update = { add: { count: 1 }, if: unconditionally };
  const time = {
    workspaceId: 'w',
    accountId: 'a',
    postId: newId(startMs),
    scheduledFor: '2026-01-01T00:00:00Z',
  };

  it.each<[string, { pk: string; sk: string }, () => Promise<unknown>, unknown]>([
    ['updateItem', key, () => updateItem(table, key, update), expect.objectContaining({ written: true })],
    ['putItem', key, () => putItem(table, key, unconditionally), expect.objectContaining({ written: true })],
    ['putIfAbsent', key, () => putIfAbsent(table, key), expect.objectContaining({ held: true })],
    ['deleteItem', key, () => deleteItem(table, key, unconditionally), true],
    ['transact', key, () => transact(table, [updatePart(table, key, update)]), { committed: true }],
    ['batchWrite', key, () => batchWrite(table, { puts: [key] }), undefined],
    ['freeTime', calendarEntryKey(time), () => freeTime(table, time), undefined],
  ])('waits and then succeeds: %s', async (_, held, write, outcome) => {
    await putItem(table, { ...held, writeId: 'before' }, unconditionally);
    const end = await holdItem(held);
    expect(await write()).toEqual(outcome);
    await end();
  });
});

describe('a consistent read of several items', () => {
  const key = { pk: 'read', sk: 'item' };

  it('tells that one of them is being written', async () => {
    // Longer than a busy machine needs for the read.
    const end = await holdItem(key, 2_000);
    expect(await transactGet(table, [key])).toBeUndefined();
    await end();
    expect(await transactGet(table, [key])).toMatchObject([key]);
  });

  it('does not take throttling for that, but reads again', async () => {
    await putItem(table, key, unconditionally);
    buckets.dynamodb.setRate({ perSecond: 20, burst: 1 });
    buckets.dynamodb.take();
    expect(await transactGet(table, [key])).toMatchObject([key]);
  });
});

describe('while the table is throttled', () => {
  const keys = Array.from({ length: 10 }, (_, index) => ({ pk: 'throttled', sk: String(index) }));
  const slow = { perSecond: 50, burst: 5 };

  it('a transaction is repeated', async () => {
    buckets.dynamodb.setRate({ perSecond: 20, burst: 2 });
    buckets.dynamodb.take(2);
    const parts = keys.slice(0, 2).map((key) => putPart(table, key, unconditionally));
    expect(await transact(table, parts)).toEqual({ committed: true });
  });

  it('batches are sent again until everything is done', async () => {
    buckets.dynamodb.setRate(slow);
    await batchWrite(table, { puts: keys });
    const found = await batchGet(table, keys);
    expect(keys.map((key) => found.get(key))).toEqual(keys);
  });
});

describe('50 grants of one workspace at the same time', () => {
  it.each([5, 12, 25])('are all reserved if a transaction holds its items for %i ms', async (holdMs) => {
    const { workspaceId } = (await openWorkspace(table)).context;
    timing.transactionHoldMs = holdMs;
    const grants = Array.from({ length: 50 }, () => {
      const { sizeBytes: _none, ...media } = aMedia(workspaceId, { status: 'pending', reservedBytes: 10 });
      return reserveMedia(table, media, '2026-01-01T00:00:00Z');
    });
    expect(await Promise.all(grants)).toEqual(grants.map(() => 'reserved'));
  });

  it('count each of their writes once', async () => {
    const key = { pk: 'counter', sk: 'counter' };
    timing.transactionHoldMs = 5;
    await putItem(table, { ...key, count: 0 }, { pk: absent });
    const update = { set: { count: plus(1) }, if: unconditionally };
    await Promise.all(Array.from({ length: 50 }, () => transact(table, [updatePart(table, key, update)])));
    expect(await getItem(table, key)).toMatchObject({ count: 50 });
  });
});
