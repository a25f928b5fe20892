import { type Actor, accountsOf } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { minuteMs } from '../../kernel/clock.ts';
import { HeraldError, notFound } from '../../kernel/errors.ts';
import { takeWhileWithin } from '../../kernel/take-while.ts';
import { batchGet } from '../../table/batch-get.ts';
import { absent, present } from '../../table/condition.ts';
import { openCursor, sealCursor } from '../../table/cursor.ts';
import { getItem, updateItem } from '../../table/items.ts';
import { webhookEventKey, workspaceKey } from '../../table/keys.ts';
import { isExpired } from '../../table/retention.ts';
import { firstUse } from '../../workspaces/event-feed.ts';
import { eventBody } from '../events/store.ts';
import { WebhookEvent } from '../schemas.ts';
import { type FeedEvent, type ListEventsQuery, latest } from './operations.ts';
import {
  type Feed,
  type FeedPlace,
  type FeedPosition,
  findFeed,
  nextPlaces,
  positionBefore,
} from './places.ts';

/** The maximum number of places that one request reads, which bounds its cost if few events match. */
const maxScanned = 2_000;
/** The number of places read at once, if filters leave many out. */
const scannedAtOnce = 500;
/** The size limit for the bodies in one reply, below the 6 MB of a synchronous reply (Lambda quotas, "Invocation payload"). */
const maxBodyBytes = 2_500_000;

export interface EventPage {
  readonly events: FeedEvent[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
  readonly recordedSince: string;
}

/**
 * Returns a page of the workspace's event feed, oldest first. The first request turns the feed on.
 *
 * @throws HeraldError `cursor_invalid` for `after`; `events_expired` if events after it are not kept any more; `event_feed_off` if
 *   the feed was turned off
 */
export async function listEvents(
  context: Context,
  { after, types, accountId, limit }: ListEventsQuery,
): Promise<EventPage> {
  const { table, workspaceId, actor, now } = context;
  const feed = await findFeedOrBegin(context);
  const start = after === latest ? feed.head : await positionOf(context, feed, after);
  const isWanted = (place: FeedPlace) =>
    (types === undefined || types.some((type) => type === place.type)) &&
    (accountId === undefined || place.accountIds.includes(accountId)) &&
    seesEvent(actor, place);
  const scanned: FeedPlace[] = [];
  const wanted: FeedPlace[] = [];
  let position: FeedPosition = start;
  const isFiltered = types !== undefined || accountId !== undefined || accountsOf(actor) !== undefined;
  while (wanted.length < limit && scanned.length < maxScanned) {
    const atOnce = isFiltered ? scannedAtOnce : limit - wanted.length;
    const places = await nextPlaces(table, workspaceId, feed.head, position, atOnce, now);
    if (places === 'expired') {
      // They expired while this request read them: the next one finds that out.
      if (scanned.length > 0) break;
      throw await expired(context, feed);
    }
    const last = places.at(-1);
    if (last === undefined) break;
    for (const place of places) {
      if (wanted.length === limit) break;
      scanned.push(place);
      if (isWanted(place)) wanted.push(place);
    }
    position = scanned.at(-1) ?? start;
  }
  const events = await eventsAt(context, wanted);
  const left = wanted[events.length];
  if (left !== undefined) position = scanned[scanned.indexOf(left) - 1] ?? start;
  return {
    events,
    nextCursor: sealPosition(context, feed, position),
    hasMore: position.sequence < feed.head.sequence,
    recordedSince: sinceOf(feed),
  };
}

/** @throws HeraldError `not_found`, also for an event that is not in the feed, or that the key may not see */
export async function readEvent(
  { table, workspaceId, actor, now }: Context,
  eventId: string,
): Promise<FeedEvent> {
  const item = await getItem(table, webhookEventKey(workspaceId, eventId));
  const event = item && WebhookEvent.parse(item);
  const { sequence, accountIds = [], postAccountIds } = event ?? {};
  if (!event || sequence === undefined || isExpired(event, now)) throw notFound('event');
  if (!seesEvent(actor, { accountIds, postAccountIds })) throw notFound('event');
  return toFeedEvent(event, sequence);
}

/** True if an event exists for the actor: if it may use all accounts that the event is about. Pure. */
function seesEvent(
  actor: Actor,
  { accountIds, postAccountIds = accountIds }: Pick<FeedPlace, 'accountIds' | 'postAccountIds'>,
): boolean {
  const visible = accountsOf(actor);
  return visible === undefined || postAccountIds.every((accountId) => visible.has(accountId));
}

/**
 * Reads the feed, and turns it on if nobody has decided about it.
 *
 * @throws HeraldError `event_feed_off`
 */
async function findFeedOrBegin({ table, workspaceId, now }: Context): Promise<Feed> {
  const feed = await findFeed(table, workspaceId);
  if (feed.workspace.eventFeedSince !== undefined) return requireOn(feed);
  await updateItem(table, workspaceKey(workspaceId), {
    set: firstUse(now),
    if: { pk: present, deleteAfter: absent },
  });
  return requireOn(await findFeed(table, workspaceId));
}

/** @throws HeraldError `event_feed_off` */
export function requireOn(feed: Feed): Feed {
  if (feed.since !== undefined) return feed;
  throw new HeraldError(
    'event_feed_off',
    'events: the event feed is off; turn it on with `PATCH /v1/workspace` and `eventFeed: true`',
  );
}

const sinceOf = ({ since = '' }: Feed): string => since;

const scopeOf = ({ cursorSecret }: Context) => ({
  secret: cursorSecret,
  listing: 'events',
  filters: {},
  parameter: 'after',
});

/**
 * Returns the cursor of a position. It names the time since which the feed records, because a feed that was off in between has a
 * hole there.
 */
export function sealPosition(context: Context, feed: Feed, { sequence, recordedAt }: FeedPosition): string {
  return sealCursor(scopeOf(context), JSON.stringify([sinceOf(feed), sequence, recordedAt]));
}

/**
 * Returns the position of a cursor; without one, the position before the oldest event that is kept.
 *
 * @throws HeraldError `cursor_invalid`; `events_expired` for a cursor from before the feed was turned on again
 */
export async function positionOf(
  context: Context,
  feed: Feed,
  cursor: string | undefined,
): Promise<FeedPosition> {
  if (cursor === undefined) return positionBefore(context.table, context.workspaceId, feed, context.now);
  const [since, sequence, recordedAt] = JSON.parse(openCursor(scopeOf(context), cursor));
  if (since !== feed.since) throw await expired(context, feed);
  return { sequence, recordedAt };
}

/** Returns the error for a position after which events are missing. */
export async function expired(context: Context, feed: Feed): Promise<HeraldError> {
  const oldest = await positionBefore(context.table, context.workspaceId, feed, context.now);
  return new HeraldError(
    'events_expired',
    'events: some that follow are no longer kept; continue with `oldestCursor`, and read what changed before from the resources themselves',
    { oldestCursor: sealPosition(context, feed, oldest) },
  );
}

/** The time after which an event must be visible that was written together with its place. */
const visibleAfterMs = minuteMs;

/**
 * Reads the events at places, up to the size of one reply.
 *
 * @returns the first ones. An event whose transaction a query cannot see yet ends the list
 * @throws Error if an event is missing for certain
 */
async function eventsAt(
  { table, workspaceId, now }: Context,
  places: readonly FeedPlace[],
): Promise<FeedEvent[]> {
  const keyOf = ({ eventId }: FeedPlace) => webhookEventKey(workspaceId, eventId);
  const found = await batchGet(table, places.map(keyOf));
  const end = places.findIndex((place) => found.get(keyOf(place))?.['sequence'] !== place.sequence);
  const unseen = places[end];
  if (unseen !== undefined && now - Date.parse(unseen.recordedAt) > visibleAfterMs)
    throw new Error(`the event ${unseen.eventId} of the feed is missing`);
  const bodies = (end < 0 ? places : places.slice(0, end)).map((place) => {
    const event = WebhookEvent.parse(found.get(keyOf(place)));
    return { sequence: place.sequence, body: eventBody(event).toString('utf8') };
  });
  const taken = takeWhileWithin(bodies, maxBodyBytes, ({ body }) => Buffer.byteLength(JSON.stringify(body)));
  return taken.map(({ body, sequence }) => ({ ...JSON.parse(body), sequence }));
}

const toFeedEvent = (event: WebhookEvent, sequence: number): FeedEvent => ({
  ...JSON.parse(eventBody(event).toString('utf8')),
  sequence,
});
