import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Item } from '../../support/database/database.ts';
import type { World } from '../world/world.ts';
import { type Committed, keyOf } from './committed.ts';

/** Maximum age of an eventually consistent read: usually DynamoDB's replicas agree within a second. */
const longestMs = secondMs;

/** Eventually consistent reads of items, which may show them as they were a moment ago. */
export interface FormerReads {
  /** @param output as a strongly consistent read would give it */
  shown(operation: 'GetItem' | 'BatchGetItem', input: Item, output: Item): Item;
}

export function createFormerReads(world: World, committed: Committed): FormerReads {
  const changes = new Map<string, { readonly atMs: number; readonly before: Item | undefined }[]>();
  committed.listen(({ key, before }) => {
    const recent = (changes.get(key) ?? []).filter(({ atMs }) => atMs > world.now() - longestMs);
    changes.set(key, [...recent, { atMs: world.now(), before }]);
  });

  /** The item as it was at a moment, if it has changed since. */
  function shownItem(key: Item, atMs: number, item: Item | undefined): Item | undefined {
    const next = changes.get(keyOf(key))?.find((change) => change.atMs > atMs);
    return next ? next.before : item;
  }

  return {
    shown(operation, input, output) {
      const requests = (input['RequestItems'] ?? {}) as Record<string, Item>;
      const isConsistent = [input, ...Object.values(requests)].some(({ ConsistentRead }) => ConsistentRead);
      if (isConsistent || !world.happens('readsFormer')) return output;
      const atMs = world.now() - world.random.between(0, longestMs);
      if (operation === 'GetItem')
        return { ...output, Item: shownItem(input['Key'] as Item, atMs, output['Item'] as Item | undefined) };
      const unread = (output['UnprocessedKeys'] ?? {}) as Record<string, { readonly Keys: Item[] }>;
      const found = (output['Responses'] ?? {}) as Record<string, Item[]>;
      const Responses = Object.fromEntries(
        Object.entries(requests).map(([table, { Keys }]) => {
          const left = new Set(unread[table]?.Keys.map(keyOf));
          const items = new Map(found[table]?.map((item) => [keyOf(item), item]));
          const read = (Keys as Item[]).filter((key) => !left.has(keyOf(key)));
          return [table, read.flatMap((key) => shownItem(key, atMs, items.get(keyOf(key))) ?? [])];
        }),
      );
      return { ...output, Responses };
    },
  };
}
