import type { Platform } from '../platforms/contract/names.ts';
import type { Item } from '../table/items.ts';
import { afterDayPlaces, dayPartition, dayPlacePrefix } from '../table/keys.ts';
import { queryAll, queryPage } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { ListedPlace } from './shares.ts';

/** A day of a platform's limit. */
export interface LimitedDay {
  readonly platform: Platform;
  readonly day: string;
  /** The size of the limit. */
  readonly posts: number;
}

/** How many places beyond the limit one request may find, so that usual days are counted exactly. */
const margin = 100;

/** More than a service needs whose workspaces plan within reason: see {@link readDay}. */
const maxRequests = 8;

/**
 * Returns the places of a day. One request, unless far more is planned than the limit allows. Even then at most eight, and one
 * for the workspace's own places: what a workspace plans beyond the whole limit changes nobody's share, so the rest of it
 * is skipped. If there are still more, the last workspaces are left out, and the day counts as less full than it is.
 *
 * @param workspaceId the workspace whose places must be in the result
 * @param options.isEventual costs half, and the result may be about a second old
 */
export async function readDay(
  table: Table,
  { platform, day, posts }: LimitedDay,
  workspaceId: string,
  { isEventual = false } = {},
): Promise<ListedPlace[]> {
  const partition = dayPartition(platform, day);
  const query = { partition, limit: posts + margin, attributes: ['sk', 'isUsed'], isEventual } as const;
  const places: ListedPlace[] = [];
  let after: Item | { pk: string; sk: string } | undefined;
  for (let requests = 0; requests < maxRequests; requests += 1) {
    const { items, lastKey } = await queryPage(table, { ...query, after });
    places.push(...items.map(toPlace));
    if (!lastKey) return places;
    const last = toPlace(lastKey).workspaceId;
    const held = places.filter((place) => place.workspaceId === last).length;
    after = held > posts ? { pk: partition, sk: afterDayPlaces(last) } : lastKey;
  }
  if (String(after?.['sk']) >= afterDayPlaces(workspaceId)) return places;
  const own = await queryPage(table, { ...query, sort: { beginsWith: dayPlacePrefix(workspaceId) } });
  const others = places.filter((place) => place.workspaceId !== workspaceId);
  return [...others, ...own.items.map(toPlace)];
}

/** Returns all places of a workspace in a day. */
export async function listOwnPlaces(
  table: Table,
  { platform, day }: Pick<LimitedDay, 'platform' | 'day'>,
  workspaceId: string,
): Promise<ListedPlace[]> {
  const items = await queryAll(table, {
    partition: dayPartition(platform, day),
    sort: { beginsWith: dayPlacePrefix(workspaceId) },
  });
  return items.map(toPlace);
}

function toPlace({ sk, isUsed }: Item): ListedPlace {
  const [workspaceId = '', postId = '', accountId = ''] = String(sk).split('#');
  return { workspaceId, postId, accountId, isUsed: isUsed === true };
}
