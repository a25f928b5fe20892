import * as z from 'zod';
import { batchGet } from '../../table/batch-get.ts';
import {
  feedBucket,
  feedHeadKey,
  feedPartition,
  feedPlaceKey,
  sequenceText,
  workspaceKey,
} from '../../table/keys.ts';
import { queryPage } from '../../table/query.ts';
import { isExpired } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { transactGet } from '../../table/transaction.ts';
import { type FeedHead, feedHeadOf, recordedSince } from '../../workspaces/event-feed.ts';
import { Workspace } from '../../workspaces/schemas.ts';
import { WebhookEventType } from '../schemas.ts';

/** The place of an event in its workspace's feed. The event itself has the bytes. */
export const FeedPlace = z.object({
  workspaceId: z.uuid(),
  /** 1 for the first event, and one more for each further one. */
  sequence: z.int(),
  eventId: z.uuid(),
  type: WebhookEventType,
  createdAt: z.string(),
  /** The time at which the event was recorded. It never decreases from one place to the next. */
  recordedAt: z.string(),
  accountIds: z.array(z.uuid()),
  /** See `EventDraft`. */
  postAccountIds: z.array(z.uuid()).optional(),
  /** It never decreases from one place to the next. So everything before a place that has expired has expired too. */
  expiresAtSeconds: z.int(),
});
export type FeedPlace = z.infer<typeof FeedPlace>;

/** The place up to which somebody has read a feed. */
export interface FeedPosition {
  readonly sequence: number;
  /** The `recordedAt` of the event there; empty if it is not known. It tells a feed from the same one after a restore. */
  readonly recordedAt: string;
}

/** A workspace's feed. */
export interface Feed {
  readonly workspace: Workspace;
  readonly head: FeedHead;
  /** The time since which it records events; `undefined` if it is off. */
  readonly since: string | undefined;
  /** The sequence after which it begins. */
  readonly after: number;
}

/** Reads the state of a workspace's feed, strongly consistent. */
export async function findFeed(table: Table, workspaceId: string): Promise<Feed> {
  const keys = [workspaceKey(workspaceId), feedHeadKey(workspaceId)] as const;
  const found = await batchGet(table, keys);
  const workspace = Workspace.parse(found.get(keys[0]));
  return {
    workspace,
    head: feedHeadOf(found.get(keys[1])),
    since: recordedSince(workspace),
    after: workspace.eventFeedAfter ?? 0,
  };
}

/** The result of {@link nextPlaces}: `expired` if something after the position is not kept any more. */
export type NextPlaces = readonly FeedPlace[] | 'expired';

/**
 * Reads the places after a position, in order and without a hole: each is one more than the one before. There may be fewer than
 * `limit` although more follow.
 *
 * A transaction's items become visible one by one to a query, so a place may be missing that has just been written. The result
 * ends before such a place. Only a place that has certainly expired makes it `expired`.
 *
 * @param limit at least 1
 * @param now epoch milliseconds
 */
export async function nextPlaces(
  table: Table,
  workspaceId: string,
  head: FeedHead,
  after: FeedPosition,
  limit: number,
  now: number,
): Promise<NextPlaces> {
  // After a restore of the table, the feed may end earlier, and have other events at the same places.
  if (after.sequence > head.sequence) return 'expired';
  if (after.sequence === head.sequence) return isAt(head, after) ? [] : 'expired';
  const last = Math.min(head.sequence, after.sequence + limit);
  // The place of the position itself is read too.
  const found = await placesBetween(table, workspaceId, after.sequence, last);
  const [own] = found;
  if (own?.sequence === after.sequence) {
    if (!isAt(own, after)) return 'expired';
    found.shift();
  }
  const next = after.sequence + 1;
  const places = found.filter(({ sequence }, index) => sequence === next + index);
  const [first] = places;
  if (first !== undefined) return isExpired(first, now) ? 'expired' : places;
  const isKept = await isPlaceKept(table, workspaceId, next, now);
  return isKept ? [] : 'expired';
}

const isAt = ({ recordedAt }: Pick<FeedPlace, 'recordedAt'>, position: FeedPosition): boolean =>
  position.recordedAt === '' || position.recordedAt === recordedAt;

/** Reads the places of a range of sequences that a query shows now, up to one page of each bucket. */
async function placesBetween(
  table: Table,
  workspaceId: string,
  first: number,
  last: number,
): Promise<FeedPlace[]> {
  const places: FeedPlace[] = [];
  for (let bucket = feedBucket(first); bucket <= feedBucket(last); bucket += 1) {
    const { items, lastKey } = await queryPage(table, {
      partition: feedPartition(workspaceId, bucket),
      sort: { between: [sequenceText(first), sequenceText(last)] },
    });
    places.push(...items.map((item) => FeedPlace.parse(item)));
    if (lastKey !== undefined) break;
  }
  return places;
}

/** Reads one place for certain; `writing` if a transaction is writing it. */
async function readPlace(
  table: Table,
  workspaceId: string,
  sequence: number,
): Promise<FeedPlace | 'writing' | undefined> {
  const items = await transactGet(table, [feedPlaceKey(workspaceId, sequence)]);
  return items === undefined ? 'writing' : items[0] && FeedPlace.parse(items[0]);
}

async function isPlaceKept(
  table: Table,
  workspaceId: string,
  sequence: number,
  now: number,
): Promise<boolean> {
  const place = await readPlace(table, workspaceId, sequence);
  return place === 'writing' || (place !== undefined && !isExpired(place, now));
}

/**
 * Returns the position before the first place that is kept and was recorded at a time or later. Searches by halves: if a place
 * meets both, all later ones do. The first place is tried first, because most feeds still have it.
 *
 * @param from a timestamp; default: the position before the oldest place that is kept
 * @param now epoch milliseconds
 */
export async function positionBefore(
  table: Table,
  workspaceId: string,
  { head, after }: Pick<Feed, 'head' | 'after'>,
  now: number,
  from = '',
): Promise<FeedPosition> {
  const meets = async (sequence: number): Promise<boolean> => {
    const place = await readPlace(table, workspaceId, sequence);
    if (place === 'writing') return true;
    return place !== undefined && !isExpired(place, now) && place.recordedAt >= from;
  };
  let [low, high] = [after, head.sequence];
  if (low < high && (await meets(low + 1))) high = low;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await meets(middle + 1)) high = middle;
    else low = middle + 1;
  }
  return { sequence: low, recordedAt: low === head.sequence ? head.recordedAt : '' };
}
