import { createTokenBuckets } from '@herald/local-cloud/engines/token-bucket.ts';
import { startTestCloud, type TestCloud } from '@herald/local-cloud/testing/cloud.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { batchGet } from '../../../../lib/table/batch-get.ts';
import { batchWrite } from '../../../../lib/table/batch-write.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { putItem } from '../../../../lib/table/items.ts';
import { openTable, type Table } from '../../../../lib/table/table.ts';
import { putPart, transact, transactGet } from '../../../../lib/table/transaction.ts';

const buckets = createTokenBuckets();
let cloud: TestCloud;
let table: Table;
beforeAll(async () => {
  cloud = await startTestCloud({ buckets, databaseTiming: { transactionHoldMs: 0, indexLagMs: 0 } });
  const { endpoint, region, credentials } = cloud.client();
  table = openTable('posts', { endpoint, region, credentials });
});
afterAll(() => cloud.stop());
beforeEach(() => buckets.dynamodb.setRate(undefined));

describe('while the table is throttled', () => {
  const keys = Array.from({ length: 10 }, (_, index) => ({ pk: 'throttled', sk: String(index) }));

  it('a transaction is repeated', async () => {
    buckets.dynamodb.setRate({ perSecond: 20, burst: 2 });
    buckets.dynamodb.take(2);
    const parts = keys.slice(0, 2).map((key) => putPart(table, key, unconditionally));
    expect(await transact(table, parts)).toEqual({ committed: true });
  });

  it('batches are sent again until everything is done', async () => {
    buckets.dynamodb.setRate({ perSecond: 50, burst: 5 });
    await batchWrite(table, { puts: keys });
    const found = await batchGet(table, keys);
    expect(keys.map((key) => found.get(key))).toEqual(keys);
  });

  it('a consistent read does not take throttling for another write, but reads again', async () => {
    const key = { pk: 'read', sk: 'item' };
    await putItem(table, key, unconditionally);
    buckets.dynamodb.setRate({ perSecond: 20, burst: 1 });
    buckets.dynamodb.take();
    expect(await transactGet(table, [key])).toMatchObject([key]);
  });
});
