/** What the indexes of a table show of an item. Pure. */

import type { TableResource } from '../../model.ts';
import { shapeOf } from './request-parts.ts';

export type Item = Readonly<Record<string, unknown>>;

/**
 * Returns a function that reduces an item to what the indexes show of it together; `undefined` if it is in none. An item is in
 * an index if it has its whole key.
 */
export function shownByIndexes(table: Pick<TableResource, 'definition'>): (item: Item) => Item | undefined {
  const indexes = [...shapeOf(table).indexes.values()];
  return (item) => {
    const containing = indexes.filter(({ keyNames }) => keyNames.every((name) => item[name] !== undefined));
    if (containing.length === 0) return undefined;
    const shown = new Set<string>();
    for (const { projected } of containing) {
      if (!projected) return item;
      for (const name of projected) shown.add(name);
    }
    return Object.fromEntries(Object.entries(item).filter(([name]) => shown.has(name)));
  };
}
