import { type Turn, together } from '../kernel/together.ts';
import { batchGet } from './batch-get.ts';
import type { FoundItems } from './found-items.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/**
 * Returns a table that joins simultaneous reads by key into shared requests, and reads each item once. For a worker of several
 * messages: they begin together, and mostly belong to the same posts, accounts and pauses.
 *
 * Each read is as current as it would be by itself, because its request is sent after the call. If the request fails, all of its
 * reads fail.
 *
 * @param turn ends the collection; by default `setImmediate`
 */
export function readingTogether(table: Table, turn: Turn = setImmediate): Table {
  const reader = (isEventual: boolean) =>
    together<readonly Key[], FoundItems>(async (calls) => {
      const found = await batchGet(table, calls.flat(), { isEventual });
      return calls.map(() => ({ status: 'fulfilled', value: found }));
    }, turn);
  const [consistent, eventual] = [reader(false), reader(true)];
  return { ...table, readItems: (keys, isEventual) => (isEventual ? eventual : consistent)(keys) };
}
