import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { batchGet } from '../../table/batch-get.ts';
import { absent, present } from '../../table/condition.ts';
import { feedHeadKey, feedPlaceKey, webhookEventKey } from '../../table/keys.ts';
import { backOff, retentionOf, type Table } from '../../table/table.ts';
import { putPart, type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { refusalOf } from '../../table/until-served.ts';
import { type FeedHead, feedHeadOf } from '../../workspaces/event-feed.ts';
import { eventItem } from '../events/store.ts';
import type { WebhookEvent } from '../schemas.ts';
import type { FeedPlace } from './places.ts';

/** An event to record. */
export type RecordedEvent = WebhookEvent & { readonly accountIds: string[] };

/** Two items per event, and the head: a transaction has at most 100 items. */
const maxEvents = 49;
/** A transaction has at most 4 MB. The rest is for keys and places. */
const maxBytes = 3_000_000;
/**
 * The number of tries of a transaction. Each one that fails did so because another one was committed, so all writers together
 * always advance. A writer that has no luck leaves its events to the stream, which repeats them.
 */
const maxTries = 12;
const range = { baseMs: 100, capMs: 800 };

/**
 * Records events at the end of their workspace's feed, in their order: stores each with a place in the feed, in one transaction
 * with the feed's end. So every event has exactly one place, and no place is empty, whatever crashes or is repeated, and however
 * many writers there are. An event that exists without a place, because it happened before the feed was turned on, gets one.
 *
 * @param events events of one workspace, with different ids
 * @param now epoch milliseconds
 * @returns the ids of those that did not exist; the others keep their stored bytes
 * @throws Error if other writers were always faster. Events that come before may have been recorded
 */
export async function recordEvents(
  table: Table,
  workspaceId: string,
  events: readonly RecordedEvent[],
  now: () => number,
): Promise<Set<string>> {
  const isNew = new Set<string>();
  let { head, missing } = await readState(table, workspaceId, events);
  for (let tries = 1; missing.length > 0; ) {
    const batch = nextBatch(missing);
    if (await append(table, workspaceId, head, batch, now())) {
      for (const { event, isStored } of batch) if (!isStored) isNew.add(event.id);
      missing = missing.slice(batch.length);
      tries = 1;
      if (missing.length > 0) head = await readHead(table, workspaceId);
      continue;
    }
    if (tries === maxTries) throw new Error('the end of the event feed is contended');
    await backOff(table, tries, range);
    tries += 1;
    const { sequence } = head;
    head = await readHead(table, workspaceId);
    // The end has not moved, so one of the events has changed: another run has recorded it.
    if (head.sequence === sequence) ({ head, missing } = await readState(table, workspaceId, events));
  }
  return isNew;
}

async function readHead(table: Table, workspaceId: string): Promise<FeedHead> {
  const key = feedHeadKey(workspaceId);
  return feedHeadOf((await batchGet(table, [key])).get(key));
}

/** An event that has no place yet. */
interface Missing {
  readonly event: RecordedEvent;
  /** True if the event exists, without a place. */
  readonly isStored: boolean;
}

async function readState(
  table: Table,
  workspaceId: string,
  events: readonly RecordedEvent[],
): Promise<{ head: FeedHead; missing: readonly Missing[] }> {
  const headKey = feedHeadKey(workspaceId);
  const keyOf = ({ id }: RecordedEvent) => webhookEventKey(workspaceId, id);
  const found = await batchGet(table, [headKey, ...events.map(keyOf)]);
  const missing = events.flatMap((event) => {
    const stored = found.get(keyOf(event));
    return stored?.['sequence'] === undefined ? [{ event, isStored: stored !== undefined }] : [];
  });
  return { head: feedHeadOf(found.get(headKey)), missing };
}

/** Returns the first events, as many as one transaction can hold. */
function nextBatch(missing: readonly Missing[]): readonly Missing[] {
  let bytes = 0;
  const end = missing.findIndex(({ event }, index) => {
    bytes += event.body.length + (event.context?.length ?? 0);
    return index === maxEvents || (index > 0 && bytes > maxBytes);
  });
  return end < 0 ? missing : missing.slice(0, end);
}

/** @returns false if another writer was faster, and nothing was written */
async function append(
  table: Table,
  workspaceId: string,
  head: FeedHead,
  batch: readonly Missing[],
  now: number,
): Promise<boolean> {
  const sequence = head.sequence + batch.length;
  const time = toTimestamp(now);
  const recordedAt = time > head.recordedAt ? time : head.recordedAt;
  const days = retentionOf(table).deliveries;
  const lastExpiresAtSeconds = Math.max(
    head.lastExpiresAtSeconds,
    Math.ceil((Date.parse(recordedAt) + days * dayMs) / 1_000),
  );
  const parts: TransactionItems = [
    updatePart(table, feedHeadKey(workspaceId), {
      set: { kind: 'feedHead', sequence, recordedAt, lastExpiresAtSeconds },
      if: { sequence: head.sequence === 0 ? absent : head.sequence },
    }),
    ...batch.flatMap(({ event, isStored }, index) => {
      const place = {
        workspaceId,
        sequence: head.sequence + 1 + index,
        eventId: event.id,
        type: event.type,
        createdAt: event.createdAt,
        recordedAt,
        accountIds: event.accountIds,
        ...(event.postAccountIds && { postAccountIds: event.postAccountIds }),
        expiresAtSeconds: lastExpiresAtSeconds,
      };
      return [eventPart(table, event, place, isStored), placePart(table, place)];
    }),
  ];
  try {
    return (await transact(table, parts, { conflictAttempts: 1 })).committed;
  } catch (error) {
    // Tried again as it is, it would fail: the other writer has moved the end.
    if (refusalOf(error) === 'conflict') return false;
    throw error;
  }
}

/** Stores an event with its place, for as long as the place is kept. */
function eventPart(
  table: Table,
  event: RecordedEvent,
  { sequence, expiresAtSeconds }: FeedPlace,
  isStored: boolean,
): TransactionItems[number] {
  const { accountIds, postAccountIds } = event;
  const recorded = { sequence, accountIds, postAccountIds, expiresAtSeconds };
  if (!isStored) return putPart(table, eventItem({ ...event, ...recorded }), { pk: absent });
  const key = webhookEventKey(event.workspaceId, event.id);
  return updatePart(table, key, { set: recorded, if: { pk: present, sequence: absent } });
}

function placePart(table: Table, place: FeedPlace): TransactionItems[number] {
  const key = feedPlaceKey(place.workspaceId, place.sequence);
  return putPart(table, { ...key, kind: 'feedPlace', ...place }, { pk: absent });
}
