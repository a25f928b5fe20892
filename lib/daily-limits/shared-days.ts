import type { Table } from '../table/table.ts';
import { type LimitedDay, readDay } from './read.ts';
import type { ListedPlace } from './shares.ts';

/** A day as it was read. */
export interface ReadDay {
  /** Returns the taken places, with those that earlier posts of the same request are about to take. */
  places(): readonly ListedPlace[];
  /** Counts the places that a post is about to take. */
  plan(places: readonly ListedPlace[]): void;
}

/** Reads the places of a day, as `readDay` with `isEventual`. */
export type DayReader = (table: Table, day: LimitedDay, workspaceId: string) => Promise<ReadDay>;

/** Reads a day each time. */
export const eachDay: DayReader = async (table, day, workspaceId) => {
  const stored = await readDay(table, day, workspaceId, { isEventual: true });
  return { places: () => stored, plan: () => {} };
};

/**
 * Reads each day once for several posts of one request, and counts the places of the earlier posts for the later ones: the
 * relay stores these places only after the posts are committed.
 */
export function sharedDays(): DayReader {
  const days = new Map<string, Promise<ReadDay>>();
  const open = async (...[table, day, workspaceId]: Parameters<DayReader>): Promise<ReadDay> => {
    const stored = (await eachDay(table, day, workspaceId)).places();
    let planned: readonly ListedPlace[] = [];
    return {
      places: () => [...stored, ...planned],
      plan: (places) => {
        // A post that is planned again, in another slot, replaces its places.
        const postIds = new Set(places.map(({ postId }) => postId));
        planned = [...planned.filter(({ postId }) => !postIds.has(postId)), ...places];
      },
    };
  };
  return (table, day, workspaceId) => {
    const name = `${day.platform} ${day.day}`;
    const known = days.get(name);
    if (known) return known;
    const opened = open(table, day, workspaceId);
    days.set(name, opened);
    opened.catch(() => days.delete(name));
    return opened;
  };
}
