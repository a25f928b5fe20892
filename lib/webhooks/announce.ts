import type { Clock } from '../kernel/clock.ts';
import { batchPut } from '../table/batch-write.ts';
import { putIfAbsent } from '../table/items.ts';
import type { Table } from '../table/table.ts';
import { deliveryItem, messageOf, newDelivery } from './deliveries/store.ts';
import { queryWebhooks } from './endpoints/store.ts';
import type { EventCause } from './events/events-from-changes.ts';
import { insertEvent, newEvent } from './events/store.ts';
import { Delivery, type Webhook, type WebhookMessage } from './schemas.ts';

export interface AnnouncePorts {
  readonly table: Table;
  readonly now: Clock;
  /**
   * Sends the messages of deliveries that are due.
   *
   * @returns those that the queue did not take
   */
  readonly sendAll: (messages: readonly WebhookMessage[]) => Promise<ReadonlySet<WebhookMessage>>;
}

/** What became of one cause: how many deliveries it has, or why it has to be announced again. */
export type Announced = PromiseSettledResult<number>;

/**
 * Makes events of what has happened: for each an event, a delivery for each endpoint that asks for it, and the messages
 * that set them off. However often and by however many it is done for a cause, there is one event and one delivery an
 * endpoint: what is stored already stays as it is. A message that may have been sent is sent again while its first
 * attempt has not been made, and is dropped where it is one too many.
 *
 * What nobody asks for is not stored. Of each workspace the endpoints are read once.
 *
 * @returns in the order of the causes
 */
export async function announce(
  ports: AnnouncePorts,
  causes: readonly EventCause[],
): Promise<readonly Announced[]> {
  const endpointsOf = readOnce(ports.table);
  const begun = await Promise.allSettled(
    causes.map(async (cause) => begin(ports, cause, await endpointsOf(cause.workspaceId))),
  );
  const stored = await storeDeliveries(ports.table, begun);
  const messages = stored.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const refused = messages.length > 0 ? await ports.sendAll(messages) : new Set();
  return stored.map((outcome) => {
    if (outcome.status === 'rejected') return outcome;
    const isSent = outcome.value.every((message) => !refused.has(message));
    return isSent
      ? { status: 'fulfilled', value: outcome.value.length }
      : { status: 'rejected', reason: new Error('the queue did not take every message') };
  });
}

/** An event that is stored, and the deliveries that it should have. */
interface Begun {
  readonly isNew: boolean;
  readonly deliveries: readonly Delivery[];
}

async function begin(
  { table, now }: AnnouncePorts,
  cause: EventCause,
  endpoints: readonly Webhook[],
): Promise<Begun> {
  const receivers = endpoints.filter(({ isActive, events }) => isActive && events.includes(cause.type));
  if (receivers.length === 0) return { isNew: false, deliveries: [] };
  const event = newEvent(cause);
  // First, so that no delivery is ever without its event.
  const isNew = await insertEvent(table, event);
  return { isNew, deliveries: receivers.map(({ id }) => newDelivery(event, id, now())) };
}

/**
 * Stores the deliveries of all events. Those of an event that was new a moment ago cannot be there, so they are put
 * together, in few requests; those of an event that was there may be under way, and each is put only where it is not.
 *
 * @returns for each event the messages that have to be sent
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
        return (await Promise.all(deliveries.map((delivery) => storeAgain(table, delivery)))).flat();
      await puttingFresh;
      return deliveries.map(messageOf);
    }),
  );
}

async function storeAgain(table: Table, delivery: Delivery): Promise<readonly WebhookMessage[]> {
  const found = await putIfAbsent(table, deliveryItem(delivery));
  return !found || isUntried(Delivery.parse(found)) ? [messageOf(delivery)] : [];
}

const isUntried = ({ status, attemptNumber }: Delivery): boolean =>
  status === 'pending' && attemptNumber === 1;

/** Reads the endpoints of a workspace when they are first asked for: at most twenty, in one request. */
function readOnce(table: Table): (workspaceId: string) => Promise<readonly Webhook[]> {
  const found = new Map<string, Promise<readonly Webhook[]>>();
  return (workspaceId) => {
    const endpoints = found.get(workspaceId) ?? queryEndpoints(table, workspaceId);
    found.set(workspaceId, endpoints);
    return endpoints;
  };
}

async function queryEndpoints(table: Table, workspaceId: string): Promise<readonly Webhook[]> {
  return (await queryWebhooks(table, workspaceId, {})).webhooks;
}
