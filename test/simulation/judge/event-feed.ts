import { isDeepStrictEqual } from 'node:util';
import { dayMs } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { eventBody } from '../../../lib/webhooks/events/store.ts';
import type { FeedEvent } from '../../../lib/webhooks/feed/operations.ts';
import { type EventPage, listEvents } from '../../../lib/webhooks/feed/read.ts';
import { WebhookEvent } from '../../../lib/webhooks/schemas.ts';
import { actOf } from '../../support/acts.ts';
import type { Item } from '../../support/database/database.ts';
import type { Committed } from '../cloud/committed.ts';
import type { World } from '../world/world.ts';
import { type News, textOf } from './webhooks.ts';

/** The events that customers have read from their feeds, and the endpoints to which everything was sent again. */
export interface EventReaders {
  readonly note: (workspaceId: string, page: EventPage) => void;
  readonly noteReplay: (webhookId: string) => void;
  /** Resolves when the next event of a workspace is recorded. */
  readonly nextNews: (workspaceId: string) => Promise<void>;
}

export type EventFeedCheck = ReturnType<typeof createEventFeedCheck>;

/**
 * Checks the event feeds. Every commit must add the next place, of an event that has none yet; every page must begin where the one before
 * ended; and in the end, feed and readers must have each event once that the commits have caused since the feed was turned on.
 */
export function createEventFeedCheck(world: World, committed: Committed, news: readonly News[]) {
  const { violate } = world;
  const ends = new Map<string, number>();
  const recorded = new Set<string>();
  const readers = new Map<string, { readonly events: FeedEvent[]; cursor: string }>();
  const replayed = new Set<string>();
  const waiting = new Map<string, (() => void)[]>();

  committed.listen(({ kind, before, after }) => {
    if (kind !== 'feedPlace' || !after) return;
    const { workspaceId, sequence, eventId } = after as {
      workspaceId: string;
      sequence: number;
      eventId: string;
    };
    if (before) violate(`the place ${sequence} of the feed was written twice`);
    const end = ends.get(workspaceId) ?? 0;
    if (sequence !== end + 1) violate(`the feed got the place ${sequence} after ${end}`);
    ends.set(workspaceId, sequence);
    if (recorded.has(eventId)) violate(`the event ${eventId} has two places in the feed`);
    recorded.add(eventId);
    for (const resolve of waiting.get(workspaceId) ?? []) resolve();
    waiting.delete(workspaceId);
  });

  function note(workspaceId: string, { events, nextCursor }: EventPage): void {
    const reader = readers.get(workspaceId) ?? { events: [], cursor: '' };
    for (const event of events) {
      const last = reader.events.at(-1)?.sequence ?? 0;
      if (event.sequence !== last + 1)
        violate(`a reader of the feed got the sequence ${event.sequence} after ${last}`);
      reader.events.push(event);
    }
    reader.cursor = nextCursor;
    readers.set(workspaceId, reader);
  }

  /** Lets every reader read to the end, without faults, and compares. */
  async function checkEnd(table: Table): Promise<void> {
    // Some runs last longer than events are kept.
    const endMs = Math.min(world.now(), world.faultsEndMs + 2 * dayMs);
    for (const [workspaceId, reader] of readers) {
      if (isErased(workspaceId)) continue;
      const context = { table, workspaceId, ...actOf('customer'), cursorSecret: '', now: endMs };
      for (let hasMore = true; hasMore && world.violation() === undefined; ) {
        const page = await listEvents(context, { limit: 500, after: reader.cursor });
        note(workspaceId, page);
        ({ hasMore } = page);
      }
      const places = placesOf(workspaceId);
      const read = reader.events.map(({ id }) => id);
      if (
        !isDeepStrictEqual(
          read,
          places.map(({ eventId }) => eventId),
        )
      )
        violate(`a reader has ${read.length} events of a feed with ${places.length}`);
    }
    for (const workspaceId of ends.keys()) if (!isErased(workspaceId)) checkFeed(workspaceId);
  }

  const isErased = (workspaceId: string) =>
    committed.ofKind('workspace').every(({ id }) => id !== workspaceId);

  const placesOf = (workspaceId: string): Item[] =>
    committed
      .ofKind('feedPlace')
      .filter((place) => place['workspaceId'] === workspaceId)
      .sort((one, other) => Number(one['sequence']) - Number(other['sequence']));

  function checkFeed(workspaceId: string): void {
    const owed = news.filter((each) => each.workspaceId === workspaceId);
    const events = new Map(committed.ofKind('webhookEvent').map((item) => [item['id'], item]));
    for (const { eventId } of placesOf(workspaceId)) {
      const item = events.get(eventId);
      if (!item) {
        violate(`the event ${eventId} of the feed is missing`);
        continue;
      }
      const body = JSON.parse(eventBody(WebhookEvent.parse(item)).toString());
      const text = textOf({ type: body.type, body });
      const found = owed.findIndex((each) => each.text === text);
      if (found < 0) violate(`the feed has what did not happen, or twice: ${text}`);
      else owed.splice(found, 1);
    }
    for (const { text, isRecorded } of owed) if (isRecorded) violate(`the feed does not have "${text}"`);
  }

  return {
    note,
    noteReplay: (webhookId: string) => void replayed.add(webhookId),
    nextNews: (workspaceId: string) =>
      new Promise<void>((resolve) => {
        waiting.set(workspaceId, [...(waiting.get(workspaceId) ?? []), resolve]);
      }),
    /** True if everything was sent to an endpoint again after it had been disabled. */
    isReplayed: (webhookId: string) => replayed.has(webhookId),
    checkEnd,
  };
}
