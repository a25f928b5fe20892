import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Item } from '../../support/database/database.ts';
import type { World } from '../world/world.ts';
import type { Committed } from './committed.ts';

/** Lag of the index behind the table: usual and maximum. */
const usualLagMs = secondMs;
const longestLagMs = 90 * secondMs;

/** The index `overdue`, which follows the table late, but the changes of one item in order. */
export interface OverdueIndex {
  /** The items of a shard that are due before a time, the longest overdue first. */
  due(shard: string, before: string): Item[];
  /** The earliest `dueAt` of the whole index; `undefined` if it is empty. */
  earliest(): string | undefined;
}

export function createOverdueIndex(world: World, committed: Committed): OverdueIndex {
  const items = new Map<string, Item>();
  const appliedMs = new Map<string, number>();
  committed.listen(({ key, before, after }) => {
    if (before?.['dueShard'] === undefined && after?.['dueShard'] === undefined) return;
    const lagMs = world.happens('indexLate') ? longestLagMs : usualLagMs;
    const atMs = Math.max(world.now() + world.random.between(0, lagMs), appliedMs.get(key) ?? 0);
    appliedMs.set(key, atMs);
    if (lagMs > usualLagMs) world.troubleUntil(atMs, 'indexLate', 'the index');
    world.clockwork.at(atMs, () => {
      if (after?.['dueShard'] !== undefined) items.set(key, after);
      else items.delete(key);
    });
  });
  return {
    due: (shard, before) =>
      [...items.values()]
        .filter((item) => item['dueShard'] === shard && String(item['dueAt']) < before)
        .sort((one, other) => (String(one['dueAt']) < String(other['dueAt']) ? -1 : 1)),
    earliest: () => [...items.values()].map((item) => String(item['dueAt'])).sort()[0],
  };
}

/** The output of a query of the index: for what is due before a time, or at it; or between two times, page by page. */
export function queryOverdue(index: OverdueIndex, input: Item): Item {
  const values = input['ExpressionAttributeValues'] as Item;
  const condition = String(input['KeyConditionExpression']);
  const shard = String(values[':partition']);
  const [, last] = / AND \S+ BETWEEN :sort AND (:\w+)$/.exec(condition) ?? [];
  if (last !== undefined) {
    const from = String(values[':sort']);
    const { ExclusiveStartKey: after, Limit: limit = Number.POSITIVE_INFINITY } = input;
    const found = index
      .due(shard, `${values[last]}~`)
      .filter((item) => String(item['dueAt']) >= from)
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
      .filter((item) => after === undefined || placeOf(item) > placeOf(after as Item));
    const page = found.slice(0, Number(limit));
    return { Items: page, ...(page.length < found.length && { LastEvaluatedKey: page.at(-1) }) };
  }
  const [, operator] = / AND \S+ (<=?) :sort$/.exec(condition) ?? [];
  if (operator === undefined) throw new Error(`the simulated index cannot answer ${condition}`);
  const before = `${values[':sort']}${operator === '<=' ? '~' : ''}`;
  return { Items: index.due(shard, before) };
}

const placeOf = ({ dueAt, pk, sk }: Item): string => `${dueAt} ${pk} ${sk}`;
