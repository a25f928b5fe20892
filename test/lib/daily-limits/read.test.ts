import { beforeAll, describe, expect, it } from 'vitest';
import { readDay } from '../../../lib/daily-limits/read.ts';
import type { ListedPlace } from '../../../lib/daily-limits/shares.ts';
import { batchPut } from '../../../lib/table/batch-write.ts';
import { dayPlaceKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const day = '2026-03-02';
let names = 0;

/** Stores a day with that many places of each workspace, and reads it with a limit of five. */
async function readStored(counts: Readonly<Record<string, number>>, workspaceId: string) {
  names += 1;
  const platform = `platform-${names}` as 'youtube';
  const items = Object.entries(counts).flatMap(([id, count]) =>
    Array.from({ length: count }, (_, index) => {
      const postId = `post-${String(index).padStart(4, '0')}`;
      const key = dayPlaceKey({ platform, workspaceId: id, postId, accountId: 'x' }, day);
      return { ...key, kind: 'dayPlace', isUsed: index === 0 };
    }),
  );
  await batchPut(table, items);
  const { counted, requests } = countRequests({ table } as Parameters<typeof countRequests>[0]);
  const places = await readDay(counted.table, { platform, day, posts: 5 }, workspaceId);
  const of = (id: string): ListedPlace[] => places.filter((place) => place.workspaceId === id);
  return {
    requests: requests.length,
    counts: Object.fromEntries(Object.keys(counts).map((id) => [id, of(id).length])),
    of,
  };
}

describe('a day', () => {
  it('is read in one request while it is not full', async () => {
    const { requests, counts, of } = await readStored({ a: 2, b: 3 }, 'b');
    expect([requests, counts]).toEqual([1, { a: 2, b: 3 }]);
    expect(of('a')).toEqual([
      { workspaceId: 'a', postId: 'post-0000', accountId: 'x', isUsed: true },
      { workspaceId: 'a', postId: 'post-0001', accountId: 'x', isUsed: false },
    ]);
  });

  it('without places is empty', async () => {
    expect(await readStored({}, 'a')).toMatchObject({ requests: 1, counts: {} });
  });

  it('is read without the places that a workspace plans far beyond the limit', async () => {
    const { requests, counts } = await readStored({ a: 400, b: 2, c: 300, d: 1 }, 'd');
    expect(counts).toMatchObject({ b: 2, d: 1 });
    expect(counts['a']).toBeGreaterThan(5);
    expect(counts['a']).toBeLessThan(200);
    expect(requests).toBeLessThanOrEqual(6);
  });

  it('of very many workspaces is read in nine requests at most, with the own places', async () => {
    const crowd = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`w${index + 10}`, 25]));
    for (const own of ['w10', 'w49']) {
      const { requests, counts } = await readStored(crowd, own);
      expect(requests).toBeLessThanOrEqual(9);
      expect(counts[own]).toBe(25);
    }
  });
});
