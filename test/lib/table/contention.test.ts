import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freeTime } from '../../../lib/calendar/free.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { sleep } from '../../../lib/kernel/retry.ts';
import { reserveMedia } from '../../../lib/media/store.ts';
import { batchWrite } from '../../../lib/table/batch-write.ts';
import { absent, unconditionally } from '../../../lib/table/condition.ts';
import { deleteItem, getItem, putIfAbsent, putItem, updateItem } from '../../../lib/table/items.ts';
import { calendarEntryKey, type Key } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact, transactGet, updatePart } from '../../../lib/table/transaction.ts';
import { plus } from '../../../lib/table/update.ts';
import { aMedia, openWorkspace, startMs } from '../../support/builders.ts';
import { clientOf, type Item, operationOf } from '../../support/database/database.ts';
import { createMemoryTable } from '../../support/table.ts';

interface Part {
  readonly Key?: Key;
  readonly Item?: Key;
}

interface Request {
  readonly Key?: Key;
  readonly Item?: Key;
  readonly TransactItems?: readonly Readonly<Record<string, Part>>[];
  readonly RequestItems?: Readonly<Record<string, readonly Readonly<Record<string, Part>>[]>>;
}

/**
 * Wraps a table so that each transaction holds its items for a while of virtual time. Meanwhile, other requests are refused as
 * DynamoDB refuses them ("Transaction conflict handling" in
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). The tests of the local cloud show
 * the same rules on the real engine.
 *
 * @returns the table, and the number of refusals so far
 */
function holdingItems(table: Table, holdMs: number): { table: Table; refusals: () => number } {
  const held = new Set<string>();
  let refusals = 0;
  const nameOf = ({ Key, Item }: Part) => {
    const { pk = '', sk = '' } = Key ?? Item ?? {};
    return JSON.stringify([pk, sk]);
  };
  const isHeld = (part: Part) => held.has(nameOf(part));

  function cancelIfHeld(parts: readonly Part[]): void {
    if (!parts.some(isHeld)) return;
    refusals += 1;
    const reasons = parts.map((part) => ({ Code: isHeld(part) ? 'TransactionConflict' : 'None' }));
    throw new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons: reasons });
  }

  async function runTransaction(parts: readonly Part[], send: () => Promise<Item>): Promise<Item> {
    const names = parts.map(nameOf);
    for (const name of names) held.add(name);
    try {
      await sleep(holdMs);
      return await send();
    } finally {
      for (const name of names) held.delete(name);
    }
  }

  async function runBatch(requested: NonNullable<Request['RequestItems']>, send: () => Promise<Item>) {
    const writes = Object.values(requested).flat();
    if (!writes.some((write) => Object.values(write).some(isHeld))) return send();
    refusals += 1;
    return { UnprocessedItems: requested };
  }

  const client = clientOf(async (command) => {
    const send = () => table.client.send(command as never) as Promise<Item>;
    const request = command.input as Request;
    const operation = operationOf(command);
    if (request.TransactItems) {
      const parts = request.TransactItems.flatMap((part) => Object.values(part));
      cancelIfHeld(parts);
      if (operation === 'TransactWriteItems') return runTransaction(parts, send);
    }
    if (operation === 'BatchWriteItem') return runBatch(request.RequestItems ?? {}, send);
    if (['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation) && isHeld(request)) {
      refusals += 1;
      throw new TransactionConflictException({ message: '', $metadata: {} });
    }
    return send();
  });
  return { table: { ...table, client }, refusals: () => refusals };
}

let stored: Table;
beforeEach(async () => {
  stored = await createMemoryTable();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => vi.useRealTimers());

/** Lets virtual time pass until the work is done. */
async function finished<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const mark = () => {
    isDone = true;
  };
  void work.then(mark, mark);
  while (!isDone) await vi.advanceTimersToNextTimerAsync();
  return work;
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

  it.each<[string, Key, (table: Table) => Promise<unknown>, unknown]>([
    [
      'updateItem',
      key,
      (table) => updateItem(table, key, update),
      expect.objectContaining({ written: true }),
    ],
    [
      'putItem',
      key,
      (table) => putItem(table, key, unconditionally),
      expect.objectContaining({ written: true }),
    ],
    ['putIfAbsent', key, (table) => putIfAbsent(table, key), expect.objectContaining({ held: true })],
    ['deleteItem', key, (table) => deleteItem(table, key, unconditionally), true],
    ['transact', key, (table) => transact(table, [updatePart(table, key, update)]), { committed: true }],
    ['batchWrite', key, (table) => batchWrite(table, { puts: [key] }), undefined],
    ['freeTime', calendarEntryKey(time), (table) => freeTime(table, time), undefined],
  ])('waits and then succeeds: %s', async (_, heldKey, write, outcome) => {
    await putItem(stored, { ...heldKey, writeId: 'before' }, unconditionally);
    const { table, refusals } = holdingItems(stored, 100);
    const holder = transact(table, [
      updatePart(table, heldKey, { set: { held: true }, if: unconditionally }),
    ]);
    const written = await finished(Promise.all([write(table), holder]));
    expect(written[0]).toEqual(outcome);
    expect(refusals()).toBeGreaterThan(0);
  });
});

describe('a consistent read of several items', () => {
  it('tells that one of them is being written', async () => {
    const key = { pk: 'read', sk: 'item' };
    const { table } = holdingItems(stored, 2_000);
    const holder = transact(table, [updatePart(table, key, { set: { held: true }, if: unconditionally })]);
    expect(await transactGet(table, [key])).toBeUndefined();
    await finished(holder);
    expect(await transactGet(table, [key])).toMatchObject([key]);
  });
});

describe('50 grants of one workspace at the same time', () => {
  it.each([5, 12, 25])('are all reserved if a transaction holds its items for %i ms', async (holdMs) => {
    const { workspaceId } = (await openWorkspace(stored)).context;
    const { table, refusals } = holdingItems(stored, holdMs);
    const grants = Array.from({ length: 50 }, () => {
      const { sizeBytes: _none, ...media } = aMedia(workspaceId, { status: 'pending', reservedBytes: 10 });
      return reserveMedia(table, media, '2026-01-01T00:00:00Z');
    });
    expect(await finished(Promise.all(grants))).toEqual(grants.map(() => 'reserved'));
    expect(refusals()).toBeGreaterThan(49);
  });

  it('count each of their writes once', async () => {
    const key = { pk: 'counter', sk: 'counter' };
    await putItem(stored, { ...key, count: 0 }, { pk: absent });
    const { table } = holdingItems(stored, 5);
    const update = { set: { count: plus(1) }, if: unconditionally };
    const writes = Array.from({ length: 50 }, () => transact(table, [updatePart(table, key, update)]));
    await finished(Promise.all(writes));
    expect(await getItem(table, key)).toMatchObject({ count: 50 });
  });
});
