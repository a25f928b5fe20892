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
  /** The limit. */
  readonly posts: number;
}

/** The number of places beyond the limit that one request may find, so that usual days are counted exactly. */
const margin = 100;

/** The limit on requests: more than a service needs if its workspaces plan within reason. See {@link readDay}. */
const maxRequests = 8;

/**
 * Returns the places of a day. Makes one request, unless far more is planned than the limit allows. Even then it makes
 * at most eight, and one for the workspace's own places. It skips a workspace's places beyond the whole limit, because
 * they do not change anybody's share. If there are still more, it leaves out the last workspaces, and the day counts as
 * less full than it is.
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

/** Returns all places of a workspace on a day. */
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
