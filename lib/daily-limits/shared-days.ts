import type { Table } from '../table/table.ts';
import { type LimitedDay, readDay } from './read.ts';
import type { ListedPlace } from './shares.ts';

/** Reads the places of days, as `readDay` with `isEventual`. */
export interface DayReader {
  readDay(table: Table, day: LimitedDay, workspaceId: string): Promise<readonly ListedPlace[]>;
  /** Is told the places that a post is about to take. */
  plan(day: LimitedDay, places: readonly ListedPlace[]): void;
}

/** Reads a day each time. */
export const eachDay: DayReader = {
  readDay: (table, day, workspaceId) => readDay(table, day, workspaceId, { isEventual: true }),
  plan: () => {},
};

/**
 * Reads each day once for several posts of one request, and counts the places of the earlier posts for the later ones: the
 * relay stores these places only after the posts are committed.
 */
export function sharedDays(): DayReader {
  const reads = new Map<string, Promise<readonly ListedPlace[]>>();
  const planned = new Map<string, readonly ListedPlace[]>();
  const nameOf = ({ platform, day }: LimitedDay) => `${platform} ${day}`;
  return {
    async readDay(table, day, workspaceId) {
      const name = nameOf(day);
      const read = reads.get(name) ?? eachDay.readDay(table, day, workspaceId);
      reads.set(name, read);
      const stored = await read;
      return [...stored, ...(planned.get(name) ?? [])];
    },
    plan(day, places) {
      const name = nameOf(day);
      const posts = new Set(places.map(({ postId }) => postId));
      const others = (planned.get(name) ?? []).filter(({ postId }) => !posts.has(postId));
      planned.set(name, [...others, ...places]);
    },
  };
}
