import { shapeOf, type TableShape } from '@herald/local-cloud/engines/dynamodb/request-parts.ts';
import type { Item } from './database.ts';
import { compare, itemSize } from './values.ts';

/** A stored item. It is never changed, so versions of it can share memory. */
export interface Stored {
  readonly item: Item;
  readonly size: number;
}

/** The items of a table, and what its indexes show of them. */
export interface StoredTable {
  readonly shape: TableShape;
  get(key: Item): Item | undefined;
  /** @param after the item from now on; undefined deletes it */
  write(key: Item, after: Item | undefined): void;
  /** The items of the table in no particular order. */
  all(): Iterable<Stored>;
  /**
   * The items of one partition, in the order of their sort keys. Equal ones, which only indexes have, are in the order of
   * their keys in the table.
   */
  partition(view: View, partition: unknown): readonly Stored[];
  /** The table itself, or one of its indexes. @param indexName absent for the table */
  view(indexName: string | undefined): View | undefined;
}

/** The table or an index. */
export interface View {
  /** The partition key, and the sort key if there is one. */
  readonly keyNames: readonly string[];
  /** The attributes that make the position of an item: its key in the view and in the table. */
  readonly position: readonly string[];
  /** The attributes that the view has; undefined for all. */
  readonly projected: ReadonlySet<string> | undefined;
}

/** @param definition the input of CreateTable */
export function createStoredTable(definition: Item): StoredTable {
  const shape = shapeOf({ definition });
  const items = new Map<string, Stored>();
  const nameOf = (key: Item) => JSON.stringify(shape.keyNames.map((name) => key[name]));
  const whole = createView({ keyNames: shape.keyNames, position: shape.keyNames, projected: undefined });
  const indexes = new Map(
    [...shape.indexes].map(([name, { keyNames, projected }]) => {
      const position = [...new Set([...keyNames, ...shape.keyNames])];
      return [name, createView({ keyNames, position, projected })] as const;
    }),
  );
  const views = new Map([whole, ...indexes.values()].map((view) => [view.view, view]));
  return {
    shape,
    get: (key) => items.get(nameOf(key))?.item,
    write(key, after) {
      const name = nameOf(key);
      const former = items.get(name);
      const stored = after && { item: after, size: itemSize(after) };
      for (const view of views.values()) view.replace(former, stored);
      if (stored) items.set(name, stored);
      else items.delete(name);
    },
    all: () => items.values(),
    partition: (view, partition) => views.get(view)?.partition(partition) ?? [],
    view: (indexName) => (indexName === undefined ? whole : indexes.get(indexName))?.view,
  };
}

function createView(view: View) {
  const { keyNames, position } = view;
  const [partitionKey = ''] = keyNames;
  const partitions = new Map<unknown, Set<Stored>>();
  /** The partitions that have not changed since they were read. */
  const sorted = new Map<unknown, readonly Stored[]>();
  const isIn = ({ item }: Stored) => keyNames.every((name) => item[name] !== undefined);

  return {
    view,
    replace(former: Stored | undefined, stored: Stored | undefined): void {
      if (former && isIn(former)) {
        const partition = former.item[partitionKey];
        const rest = partitions.get(partition);
        rest?.delete(former);
        if (rest?.size === 0) partitions.delete(partition);
        sorted.delete(partition);
      }
      if (stored && isIn(stored)) {
        const partition = stored.item[partitionKey];
        const others = partitions.get(partition);
        if (others) others.add(stored);
        else partitions.set(partition, new Set([stored]));
        sorted.delete(partition);
      }
    },
    partition(partition: unknown): readonly Stored[] {
      const found = sorted.get(partition);
      if (found) return found;
      const made = [...(partitions.get(partition) ?? [])].sort((one, other) =>
        comparePositions(position, one.item, other.item),
      );
      sorted.set(partition, made);
      return made;
    },
  };
}

/** Compares two items, or keys, by these attributes. */
export function comparePositions(names: readonly string[], one: Item, other: Item): number {
  for (const name of names) {
    const sign = compare(one[name], other[name]);
    if (sign !== 0) return sign;
  }
  return 0;
}
