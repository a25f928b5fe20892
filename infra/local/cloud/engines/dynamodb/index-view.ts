/** The part of an item that the indexes of a table show. Pure. */

import type { TableResource } from '../../model.ts';
import { problemOfIndexKey } from './index-key-rules.ts';
import { type AttributeValue, shapeOf, type TableShape } from './request-parts.ts';

/** An item as the stream and the engine give it. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * Returns a function that reduces an item to the attributes that the indexes together show; `undefined` if no index has it. An
 * item is in an index if it has its whole key. A value that cannot be a key counts as absent: the engine would refuse the item.
 */
export function shownByIndexes(table: Pick<TableResource, 'definition'>): (item: Item) => Item | undefined {
  const shape = shapeOf(table);
  const indexes = [...shape.indexes.values()];
  return (whole) => {
    const item = withoutInvalidKeys(whole, shape);
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

function withoutInvalidKeys(item: Item, { indexes, types }: TableShape): Item {
  const invalid = new Set<string>();
  for (const { keyNames } of indexes.values()) {
    for (const [position, name] of keyNames.entries()) {
      const value = item[name];
      if (value && problemOfIndexKey(value as AttributeValue, types.get(name), position)) invalid.add(name);
    }
  }
  if (invalid.size === 0) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !invalid.has(name)));
}
