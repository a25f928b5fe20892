import { beforeAll, describe, expect, it } from 'vitest';
import { batchWrite } from '../../../lib/table/batch-write.ts';
import {
  absent,
  allOf,
  anyOf,
  atLeast,
  atMost,
  attribute,
  type Condition,
  differentFrom,
  either,
  lessThan,
  moreThan,
  present,
  unconditionally,
} from '../../../lib/table/condition.ts';
import { deleteItem, getItem, putIfAbsent, putItem, updateItem } from '../../../lib/table/items.ts';
import { countAll, queryAll, queryPage } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact, updatePart } from '../../../lib/table/transaction.ts';
import { ifAbsent, plus, removed, removingNulls } from '../../../lib/table/update.ts';
import { createEngineTable } from '../../support/table.ts';

let table: Table;
let made = 0;

beforeAll(async () => {
  table = await createEngineTable();
});

/** Stores a new item with these attributes, alone in its partition. */
async function stored(attributes: Record<string, unknown>) {
  made += 1;
  const key = { pk: `EXPRESSION#${made}`, sk: 'item' } as Parameters<typeof getItem>[1];
  await putItem(table, { ...key, ...attributes }, unconditionally);
  return key;
}

describe('a condition', () => {
  const item = { status: 'waiting', count: 3, dueAt: '2026-03-01', steps: [{ status: 'waiting' }] };
  const rows: [Condition, boolean][] = [
    [unconditionally, true],
    [{ status: 'waiting' }, true],
    [{ status: 'done' }, false],
    [{ status: 'waiting', count: 4 }, false],
    [{ count: differentFrom(3) }, false],
    [{ count: differentFrom(4) }, true],
    [{ count: lessThan(3) }, false],
    [{ count: atMost(3) }, true],
    [{ count: moreThan(3) }, false],
    [{ count: atLeast(3) }, true],
    [{ count: allOf(atLeast(1), lessThan(3)) }, false],
    [{ count: anyOf(1, 2, 3) }, true],
    [{ leaseUntil: absent }, true],
    [{ leaseUntil: anyOf(absent, atMost('2026')) }, true],
    [{ leaseUntil: present }, false],
    [{ dueAt: lessThan(attribute('status')) }, true],
    [{ 'steps[0].status': 'waiting' }, true],
    [{ 'steps[0].status': 'done' }, false],
    [{ [either]: [{ status: 'done' }, { count: 3, leaseUntil: absent }] }, true],
    [{ [either]: [{ status: 'done' }, { count: 4 }] }, false],
    [{ status: 'done', [either]: [{ count: 3 }] }, false],
  ];

  it.each(rows)('%o allows a write: %s', async (condition, holds) => {
    const key = await stored(item);
    const { written } = await updateItem(table, key, { set: { touched: true }, if: condition });
    expect(written).toBe(holds);
    expect((await getItem(table, key))?.['touched']).toBe(holds ? true : undefined);
  });

  it('on an undefined value is an error, because it would hold for anything', async () => {
    const key = await stored(item);
    await expect(updateItem(table, key, { set: { x: 1 }, if: { version: undefined } })).rejects.toThrow(
      'the condition on version is undefined',
    );
  });
});

describe('an update', () => {
  it('sets, removes, counts and leaves attributes unchanged', async () => {
    const key = await stored({ gone: 1, stays: 'here', count: 3 });
    const { item } = await updateItem(table, key, {
      set: {
        name: 'reserved words are no trouble',
        gone: removed,
        stays: undefined,
        count: plus(2),
        since: ifAbsent('2026'),
        before: attribute('count'),
      },
      add: { added: 5, names: new Set(['a']) },
      if: { pk: present },
    });
    expect(item).toEqual({
      ...key,
      name: 'reserved words are no trouble',
      stays: 'here',
      count: 5,
      since: '2026',
      before: 3,
      added: 5,
      names: new Set(['a']),
    });
  });

  it('takes texts out of a set, and removes the set with the last', async () => {
    const key = await stored({ names: new Set(['a', 'b', 'c']), others: new Set(['a']) });
    const taken = new Set(['a', 'c', 'd']);
    const takeOut = { names: taken, others: taken, missing: taken };
    const { item } = await updateItem(table, key, { takeOut, if: { pk: present } });
    expect(item).toEqual({ ...key, names: new Set(['b']) });
  });

  it('removes attributes that are null if it is given removingNulls', async () => {
    const key = await stored({ gone: 1, kept: 2 });
    const set = removingNulls({ gone: null, kept: undefined, added: 3 });
    const { item } = await updateItem(table, key, { set, if: { pk: present } });
    expect(item).toEqual({ ...key, kept: 2, added: 3 });
  });

  it('returns the item that failed its condition', async () => {
    const key = await stored({ version: 2 });
    const outcome = await updateItem(table, key, { set: { version: 4 }, if: { version: 3 } });
    expect(outcome).toEqual({ written: false, item: { ...key, version: 2 } });
  });

  it('recognizes its own write by its id', async () => {
    const key = await stored({ version: 2 });
    const update = { set: { version: 3 }, if: { version: 2 } };
    expect((await updateItem(table, key, update, 'mine')).written).toBe(true);
    expect((await updateItem(table, key, update, 'mine')).written).toBe(true);
    expect((await updateItem(table, key, update, 'another’s')).written).toBe(false);
  });

  it('works the same as part of a transaction', async () => {
    const key = await stored({ version: 2 });
    const part = updatePart(
      table,
      key,
      { set: { version: plus(1) }, if: { version: 2 } },
      { returnOld: true },
    );
    expect(await transact(table, [part])).toEqual({ committed: true });
    expect(await transact(table, [part])).toMatchObject({ failedIndex: 0, oldItem: { version: 3 } });
  });
});

it('stores an item once and returns the one that exists', async () => {
  const key = await stored({});
  expect(await putIfAbsent(table, { ...key, sk: 'other', from: 'first' })).toBeUndefined();
  expect(await putIfAbsent(table, { ...key, sk: 'other', from: 'second' })).toMatchObject({ from: 'first' });
});

it('deletes an item only if its condition holds', async () => {
  const key = await stored({ version: 2 });
  expect(await deleteItem(table, key, { version: 1 })).toBe(false);
  expect(await deleteItem(table, key, { version: 2 })).toBe(true);
  expect(await getItem(table, key)).toBeUndefined();
  expect(await deleteItem(table, key, unconditionally)).toBe(true);
});

it('writes and deletes more items than one request can hold', async () => {
  made += 1;
  const partition = `EXPRESSION#${made}`;
  const items = Array.from({ length: 30 }, (_, index) => ({ pk: partition, sk: `${100 + index}` }));
  await batchWrite(table, { puts: items });
  expect(await countAll(table, { partition })).toBe(30);
  await batchWrite(table, { puts: [{ pk: partition, sk: '200' }], deletes: items.slice(1) });
  expect((await queryAll(table, { partition })).map(({ sk }) => sk)).toEqual(['100', '200']);
});

describe('a query', () => {
  it.each([
    [{}, ['a1', 'a2', 'b1', 'b2']],
    [{ descending: true }, ['b2', 'b1', 'a2', 'a1']],
    [{ sort: { beginsWith: 'a' } }, ['a1', 'a2']],
    [{ sort: { between: ['a2', 'b1'] } }, ['a2', 'b1']],
    [{ sort: { atLeast: 'b1' } }, ['b1', 'b2']],
    [{ sort: { atMost: 'a2' } }, ['a1', 'a2']],
    [{ sort: { before: 'a2' } }, ['a1']],
    [{ filter: { status: 'odd' } }, ['a1', 'b1']],
    [{ limit: 3, filter: { status: 'odd' } }, ['a1', 'b1']],
  ] as const)('%o returns the expected items, however many pages that takes', async (query, expected) => {
    made += 1;
    const partition = `EXPRESSION#${made}`;
    for (const sk of ['a1', 'a2', 'b1', 'b2']) {
      const status = sk.endsWith('1') ? 'odd' : 'even';
      await putItem(table, { pk: partition, sk, status }, unconditionally);
    }
    const items = await queryAll(table, { partition, ...query });
    expect(items.map(({ sk }) => sk)).toEqual(expected);
    expect(await countAll(table, { partition, ...query })).toBe(expected.length);
    const { items: page } = await queryPage(table, { partition, ...query, limit: 1, attributes: ['sk'] });
    expect(page).toEqual(expected.slice(0, 1).map((sk) => ({ sk })));
  });
});
