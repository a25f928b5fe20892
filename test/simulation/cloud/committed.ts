import type { Item } from '../../support/database/database.ts';
import type { Process } from '../world/process.ts';

/** One applied write of an item. */
export interface Change {
  readonly kind: string;
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  readonly by: Process;
}

export type ChangeListener = (change: Change) => void;

export const keyOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** A copy of all committed items. It is complete, because every write goes through the simulation. */
export function createCommitted() {
  const items = new Map<string, Item>();
  const listeners: ChangeListener[] = [];
  const failed = new Map<string, string>();
  return {
    listen: (listener: ChangeListener) => listeners.push(listener),
    get: (key: string) => items.get(key),
    items: () => items.values(),
    ofKind: (kind: string): Item[] => [...items.values()].filter((item) => item['kind'] === kind),
    /** Notes that a process got an error as the result of its write: it cannot know whether the item was written. */
    noteFailedWrite: (key: string, by: Process) => failed.set(key, by.name),
    /** Returns true if the latest error of a write of the item was this process's. */
    hasFailedWrite: (key: string, by: Process) => failed.get(key) === by.name,
    /** @param after the item as it was written; `undefined` if it was deleted */
    write(key: string, after: Item | undefined, by: Process): void {
      const before = items.get(key);
      if (!before && !after) return;
      if (after) items.set(key, after);
      else items.delete(key);
      const kind = String((after ?? before)?.['kind']);
      for (const listener of listeners) listener({ kind, key, before, after, by });
    },
  };
}

export type Committed = ReturnType<typeof createCommitted>;
