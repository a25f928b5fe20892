import { mapInBatches } from '../../kernel/batches.ts';
import { type Clock, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { workDuePages } from '../../overdue/due-pages.ts';
import { deleteItem, putIfAbsent, updateItem } from '../../table/items.ts';
import { type Key, replayKey, replayShard } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { subscribes } from '../announce.ts';
import { deliveryItem, messageOf, newDelivery } from '../deliveries/store.ts';
import { findWebhook } from '../endpoints/store.ts';
import { type FeedPlace, findFeed, nextPlaces } from '../feed/places.ts';
import { Delivery, Replay, type Webhook, type WebhookMessage } from '../schemas.ts';

export interface ReplayPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Sends messages to the slow lane. @returns the messages that the queue did not accept */
  readonly sendAll: (messages: readonly WebhookMessage[]) => Promise<ReadonlySet<WebhookMessage>>;
  /** Reports a replay that could not be worked on to operators. */
  readonly report: (key: Key, error: unknown) => void;
}

/** The numbers of a run: of deliveries, and of replays that failed and are tried again. */
export interface ReplayCounts {
  readonly replayed: number;
  readonly failures: number;
}

/** The number of events whose deliveries are made at once. */
const sliceSize = 100;
/** The number of concurrent writes. */
const concurrentWrites = 25;
/**
 * The maximum number of events of one replay in one run, which begins every minute. So a large replay takes some minutes, and other
 * replays get their turn.
 */
const maxPerRun = 2_000;

/**
 * Makes the deliveries of all replays, in the order of the feed, and sends their messages. A run that stops anywhere loses nothing:
 * the replay says how far it is, and a delivery that exists is not made again. If a message is lost, the sweep sends it again.
 *
 * @param deadlineMs epoch milliseconds after which no slice is begun
 */
export async function runReplays(ports: ReplayPorts, deadlineMs: number): Promise<ReplayCounts> {
  const { table, now } = ports;
  let [replayed, failures] = [0, 0];
  const due = { shards: [replayShard], dueBefore: toTimestamp(now() + 1), deadlineMs };
  await workDuePages({ table, now }, due, async (page) => {
    for (const { key, item } of page) {
      try {
        replayed += await workReplay(ports, Replay.parse(item), deadlineMs);
      } catch (error) {
        failures += 1;
        ports.report(key, error);
      }
    }
  });
  return { replayed, failures };
}

/**
 * The time after its request at which a replay to the end of the feed takes that end. Until then, `announce` may record events for which
 * it has found the endpoint disabled or missing: it runs for at most 60 s.
 */
const settleMs = 65 * secondMs;

/** @returns the number of deliveries */
async function workReplay(ports: ReplayPorts, replay: Replay, deadlineMs: number): Promise<number> {
  const { table, now } = ports;
  const { workspaceId, webhookId, isToEnd } = replay;
  const isSettled = !isToEnd || now() >= Date.parse(replay.requestedAt) + settleMs;
  const [endpoint, { head }] = await Promise.all([
    findWebhook(table, workspaceId, webhookId),
    findFeed(table, workspaceId),
  ]);
  const through = isToEnd ? Math.max(replay.throughSequence, head.sequence) : replay.throughSequence;
  if (isToEnd && isSettled && through > replay.afterSequence + maxPerRun)
    await fixEnd(table, replay, through);
  let made = 0;
  let position = { sequence: replay.afterSequence, recordedAt: '' };
  const runEnd = Math.min(through, position.sequence + maxPerRun);
  while (endpoint?.isActive && position.sequence < runEnd) {
    if (now() >= deadlineMs) return made;
    const limit = Math.min(sliceSize, runEnd - position.sequence);
    const places = await nextPlaces(table, workspaceId, head, position, limit, now());
    // They were kept when the replay was requested, and are not any more.
    if (places === 'expired') break;
    const last = places.at(-1);
    if (last === undefined) return made;
    made += await makeDeliveries(ports, replay, endpoint, places);
    if (!(await advance(table, replay, position.sequence, last.sequence))) return made;
    position = { sequence: last.sequence, recordedAt: last.recordedAt };
  }
  const isLeft = position.sequence < through ? position.sequence === runEnd : !isSettled;
  if (!endpoint?.isActive || !isLeft)
    await deleteItem(table, replayKey(workspaceId, webhookId), { id: replay.id });
  return made;
}

async function makeDeliveries(
  { table, now, sendAll }: ReplayPorts,
  { id: replayId, types }: Replay,
  endpoint: Webhook,
  places: readonly FeedPlace[],
): Promise<number> {
  const wanted = places.filter(
    (place) => subscribes(endpoint, place) && (types === undefined || types.includes(place.type)),
  );
  const messages = await mapInBatches(wanted, concurrentWrites, async (place) => {
    const event = { ...place, id: place.eventId };
    const delivery = newDelivery(event, endpoint.id, now(), replayId);
    const found = await putIfAbsent(table, deliveryItem(delivery));
    const stored = found === undefined ? delivery : Delivery.parse(found);
    // An earlier run may have stopped before it sent the message.
    return stored.status === 'pending' && stored.attemptNumber === 1 ? [messageOf(stored)] : [];
  });
  if (messages.flat().length > 0) await sendAll(messages.flat());
  return wanted.length;
}

/** Records the end of a replay that takes more than one run: the endpoint receives later events anyway. */
async function fixEnd(table: Table, { id, workspaceId, webhookId }: Replay, through: number): Promise<void> {
  await updateItem(table, replayKey(workspaceId, webhookId), {
    set: { throughSequence: through, isToEnd: false },
    if: { id, isToEnd: true },
  });
}

/** Records how far a replay is. @returns false if another run has advanced it, or it has ended */
async function advance(table: Table, replay: Replay, from: number, to: number): Promise<boolean> {
  const { written } = await updateItem(table, replayKey(replay.workspaceId, replay.webhookId), {
    set: { afterSequence: to },
    if: { id: replay.id, afterSequence: from },
  });
  return written;
}
