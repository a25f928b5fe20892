import type { Account } from '../accounts/schemas.ts';
import { findAccount, measurementsOfAccount } from '../accounts/store.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Measurement } from '../metrics/measurements.ts';
import { batchPut } from '../table/batch-write.ts';
import { putIfAbsent } from '../table/items.ts';
import type { ItemChange } from '../table/stream.ts';
import { retentionOf, type Table } from '../table/table.ts';
import { readWorkspaceTags } from '../tags/store.ts';
import { tagsOf } from '../tags/workspace-tags.ts';
import { deliveryItem, messageOf, newDelivery } from './deliveries/store.ts';
import { queryReceivers } from './endpoints/store.ts';
import { type EventSettings, eventsFromChange } from './events/events-from-changes.ts';
import { type EventDraft, insertEvents, newEvent, packContext } from './events/store.ts';
import { type RecordedEvent, recordEvents } from './feed/record.ts';
import { Delivery, type EventContext, type Webhook, type WebhookMessage } from './schemas.ts';

/** The events and measurements of a committed change. */
export interface News {
  /** The events, at least one. */
  readonly drafts: readonly EventDraft[];
  /** The measurements of the change, reported once all its events are announced. */
  readonly measurements: readonly Measurement[];
}

/**
 * Returns the events of a change to announce; `undefined` if there are none. Pure.
 *
 * @throws if the item cannot be read
 */
export function newsOf(change: ItemChange, settings: EventSettings): News | undefined {
  const drafts = eventsFromChange(change, settings);
  return drafts.length === 0 ? undefined : { drafts, measurements: measurementsOfAccount(change) };
}

interface AnnounceChangesPorts extends AnnouncePorts {
  /** Called for each event that must be announced again. */
  readonly report: (draft: EventDraft, error: unknown) => void;
}

/**
 * Announces the events of several changes together. Idempotent, like {@link announce}.
 *
 * @returns an outcome per change, in order: its measurements; or the reason to announce the change again, if one of its events
 *   failed
 */
export async function announceChanges(
  ports: AnnounceChangesPorts,
  changes: readonly News[],
): Promise<readonly PromiseSettledResult<readonly Measurement[]>[]> {
  const outcomes = (
    await announce(
      ports,
      changes.flatMap(({ drafts }) => drafts),
    )
  ).values();
  return changes.map(({ drafts, measurements }) => {
    let failure: PromiseRejectedResult | undefined;
    for (const draft of drafts) {
      const outcome = outcomes.next().value;
      if (outcome?.status !== 'rejected') continue;
      ports.report(draft, outcome.reason);
      failure ??= outcome;
    }
    return failure ?? { status: 'fulfilled', value: measurements };
  });
}

export interface AnnouncePorts {
  readonly table: Table;
  readonly now: Clock;
  /**
   * Sends the messages of due deliveries.
   *
   * @returns the messages that the queue did not accept
   */
  readonly sendAll: (messages: readonly WebhookMessage[]) => Promise<ReadonlySet<WebhookMessage>>;
}

/** The result of one draft: the number of its deliveries, or the reason to announce it again. */
export type Announced = PromiseSettledResult<number>;

/**
 * Stores each draft as an event with one delivery per endpoint that subscribes to it, records it in the workspace's feed if that is
 * on, and sends the messages of the deliveries. Idempotent: a repeated or concurrent run creates no second event or delivery, and does not change stored
 * ones. It may send a message twice before the first attempt; the worker drops the second.
 *
 * An event without subscribers is not stored unless the feed is on. The endpoints of each workspace are read once, and its tags if an
 * event shows them.
 *
 * @returns the results in the order of the drafts
 */
export async function announce(
  ports: AnnouncePorts,
  drafts: readonly EventDraft[],
): Promise<readonly Announced[]> {
  const begun = await beginAll(ports, drafts);
  const stored = await storeDeliveries(ports.table, begun);
  const messages = stored.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const refused = messages.length > 0 ? await ports.sendAll(messages) : new Set();
  return stored.map((outcome) => {
    if (outcome.status === 'rejected') return outcome;
    const isSent = outcome.value.every((message) => !refused.has(message));
    return isSent
      ? { status: 'fulfilled', value: outcome.value.length }
      : { status: 'rejected', reason: new Error('the queue did not accept every message') };
  });
}

/** Returns true if an endpoint receives an event: it wants this type, and one of the event's accounts. Pure. */
export function subscribes(
  { isActive, events, accountIds }: Pick<Webhook, 'isActive' | 'events' | 'accountIds'>,
  draft: Pick<EventDraft, 'type' | 'accountIds'>,
): boolean {
  if (!isActive || !(events.includes('*') || events.includes(draft.type))) return false;
  return accountIds === undefined || draft.accountIds.some((accountId) => accountIds.includes(accountId));
}

/** A stored event with the deliveries that it should have. */
interface Begun {
  readonly isNew: boolean;
  readonly deliveries: readonly Delivery[];
}

/** An event that somebody receives, or that the feed records. */
interface Planned {
  readonly event: RecordedEvent;
  readonly receivers: readonly Webhook[];
  readonly hasFeed: boolean;
}

/**
 * Stores the events that have receivers or belong to a feed, all together. This comes first, so that no delivery exists without its
 * event.
 */
async function beginAll(
  ports: AnnouncePorts,
  drafts: readonly EventDraft[],
): Promise<PromiseSettledResult<Begun>[]> {
  const { table, now } = ports;
  const receiversOf = readOnce((workspaceId) => queryReceivers(table, workspaceId));
  const tagsOfWorkspace = readOnce(async (workspaceId: string) =>
    tagsOf(await readWorkspaceTags(table, workspaceId)),
  );
  const namesOf = readOnce((workspaceId: string, accountId: string) =>
    findAccount(table, workspaceId, accountId),
  );
  const planned = await Promise.allSettled(
    drafts.map(async (draft): Promise<Planned | undefined> => {
      const { endpoints, hasFeed } = await receiversOf(draft.workspaceId);
      const receivers = endpoints.filter((each) => subscribes(each, draft));
      if (receivers.length === 0 && !hasFeed) return undefined;
      const { accountIds, postAccountIds, tagged } = draft;
      const data = tagged
        ? withTags(draft.data, (await tagsOfWorkspace(draft.workspaceId))(tagged))
        : draft.data;
      const hasForm = receivers.some(({ format }) => format !== undefined);
      const context = hasForm ? await contextWith(namesOf, draft) : {};
      const about = {
        accountIds: [...accountIds],
        ...(postAccountIds && { postAccountIds: [...postAccountIds] }),
      };
      const event = { ...newEvent({ ...draft, data }, retentionOf(table)), ...about };
      const isKnown = Object.keys(context).length > 0;
      return { event: isKnown ? { ...event, context: packContext(context) } : event, receivers, hasFeed };
    }),
  );
  const storing = storeAll(
    ports,
    planned.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : [])),
  );
  return Promise.allSettled(
    planned.map(async (each) => {
      if (each.status === 'rejected') throw each.reason;
      if (each.value === undefined) return { isNew: false, deliveries: [] };
      const { event, receivers } = each.value;
      // If two drafts have the same id, only the first is new.
      const isNew = (await storing(event)).delete(event.id);
      return { isNew, deliveries: receivers.map(({ id }) => newDelivery(event, id, now())) };
    }),
  );
}

/**
 * Stores events: those of each feed in one place after the other, and all others.
 *
 * @returns a function that returns the ids of the new events among those that an event was stored with. It throws if these must be
 *   announced again
 */
function storeAll({ table, now }: AnnouncePorts, planned: readonly Planned[]) {
  const distinct = [...new Map(planned.map((each) => [each.event.id, each])).values()];
  const others = distinct.filter(({ hasFeed }) => !hasFeed).map(({ event }) => event);
  const inserting = insertEvents(
    table,
    others.map(({ accountIds, postAccountIds, ...event }) => event),
  );
  const feeds = Map.groupBy(
    distinct.flatMap(({ event, hasFeed }) => (hasFeed ? [event] : [])),
    ({ workspaceId }) => workspaceId,
  );
  const recording = new Map(
    [...feeds].map(([workspaceId, events]) => [workspaceId, recordEvents(table, workspaceId, events, now)]),
  );
  return ({ workspaceId }: Pick<RecordedEvent, 'workspaceId'>) => recording.get(workspaceId) ?? inserting;
}

/**
 * Stores the deliveries of all events. Deliveries of a new event cannot exist yet, so they are written together in few
 * requests. Deliveries of an existing event may be in progress, so each is written only if it does not exist.
 *
 * @returns the messages to send, per event
 */
async function storeDeliveries(
  table: Table,
  begun: readonly PromiseSettledResult<Begun>[],
): Promise<PromiseSettledResult<readonly WebhookMessage[]>[]> {
  const fresh = begun.flatMap((each) =>
    each.status === 'fulfilled' && each.value.isNew ? each.value.deliveries : [],
  );
  const puttingFresh = batchPut(table, fresh.map(deliveryItem));
  return Promise.allSettled(
    begun.map(async (each) => {
      if (each.status === 'rejected') throw each.reason;
      const { isNew, deliveries } = each.value;
      if (!isNew)
        return (await Promise.all(deliveries.map((delivery) => storeIfAbsent(table, delivery)))).flat();
      await puttingFresh;
      return deliveries.map(messageOf);
    }),
  );
}

async function storeIfAbsent(table: Table, delivery: Delivery): Promise<readonly WebhookMessage[]> {
  const found = await putIfAbsent(table, deliveryItem(delivery));
  return !found || isUnattempted(Delivery.parse(found)) ? [messageOf(delivery)] : [];
}

const isUnattempted = ({ status, attemptNumber }: Delivery): boolean =>
  status === 'pending' && attemptNumber === 1;

/** Returns the data of an event of a post with the names of the post's tags. */
function withTags(data: unknown, tags: readonly string[]): unknown {
  const { post, ...rest } = data as { readonly post?: object };
  return post ? { ...rest, post: { ...post, tags } } : { ...rest, tags };
}

/** Returns the context of a draft with the names of its account, if Herald's event has only the account's id. */
async function contextWith(
  find: (workspaceId: string, accountId: string) => Promise<Account | undefined>,
  { context = {}, workspaceId, accountIds: [accountId] }: EventDraft,
): Promise<EventContext> {
  if (Object.keys(context).length === 0 || accountId === undefined) return context;
  const account = await find(workspaceId, accountId);
  if (!account) return context;
  const { username, displayName } = account;
  return { ...context, account: { username, displayName } };
}

/** Returns a function that reads each thing once, on first use. */
function readOnce<Ids extends string[], Thing>(read: (...ids: Ids) => Promise<Thing>): typeof read {
  const found = new Map<string, Promise<Thing>>();
  return (...ids) => {
    const name = ids.join(' ');
    const reading = found.get(name) ?? read(...ids);
    found.set(name, reading);
    return reading;
  };
}
