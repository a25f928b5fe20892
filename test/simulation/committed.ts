import { targetFromItem } from '../../lib/targets/item.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import type { Item } from './engine-table.ts';
import type { Process } from './world.ts';

/** One applied write of a post, a target or a repair task. */
export interface Change {
  readonly kind: 'post' | 'target' | 'chore';
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly by: Process;
}

export type ChangeListener = (change: Change) => void;

export const keyOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** A copy of all committed posts, targets and repair tasks. It is complete, because every write goes through the simulation. */
export function createCommitted() {
  const items = new Map<string, Item>();
  const listeners: ChangeListener[] = [];
  return {
    listen: (listener: ChangeListener) => listeners.push(listener),
    get: (key: string) => items.get(key),
    items: () => items.values(),
    has(matches: (item: Item) => boolean): boolean {
      for (const item of items.values()) if (matches(item)) return true;
      return false;
    },
    targets: (): Target[] => [...items.values()].filter(({ kind }) => kind === 'target').map(targetFromItem),
    /** @param after the item as it was written; `undefined` if it was deleted */
    write(key: string, after: Item | undefined, by: Process): void {
      const before = items.get(key);
      const kind = (after ?? before)?.['kind'];
      if (kind !== 'target' && kind !== 'post' && kind !== 'chore') return;
      if (after) items.set(key, after);
      else items.delete(key);
      for (const listener of listeners) listener({ kind, key, before, after, by });
    },
  };
}

export type Committed = ReturnType<typeof createCommitted>;
