import type { Clock } from '../kernel/clock.ts';
import { putOnce } from '../table/put-once.ts';
import type { Table } from '../table/table.ts';
import type { EventCause } from './causes.ts';
import { deliveryItem, messageOf, newDelivery } from './delivery-store.ts';
import { eventItem, newEvent } from './event-store.ts';
import { Delivery, type Webhook, type WebhookMessage } from './schemas.ts';
import { queryWebhooks } from './store.ts';

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
  const stored = await Promise.allSettled(
    causes.map(async (cause) => store(ports, cause, await endpointsOf(cause.workspaceId))),
  );
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

/** @returns the messages that have to be sent */
async function store(
  { table, now }: AnnouncePorts,
  cause: EventCause,
  endpoints: readonly Webhook[],
): Promise<readonly WebhookMessage[]> {
  const receivers = endpoints.filter(({ isActive, events }) => isActive && events.includes(cause.type));
  if (receivers.length === 0) return [];
  const event = newEvent(cause);
  // First, so that no delivery is ever without its event.
  await putOnce(table, eventItem(event));
  const deliveries = receivers.map(({ id }) => newDelivery(event, id, now()));
  const waiting = await Promise.all(
    deliveries.map(async (delivery) => {
      const found = await putOnce(table, deliveryItem(delivery));
      return !found || isUntried(Delivery.parse(found)) ? [messageOf(delivery)] : [];
    }),
  );
  return waiting.flat();
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
