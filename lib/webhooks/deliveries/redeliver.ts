import type { Context } from '../../api-contract/context.ts';
import type { Clock } from '../../kernel/clock.ts';
import { secondMs } from '../../kernel/clock.ts';
import { HeraldError, notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { openCursor, sealCursor } from '../../table/cursor.ts';
import { getWebhook } from '../endpoints/read.ts';
import type { Delivery } from '../schemas.ts';
import { type DeliveryView, toDeliveryView } from '../views.ts';
import { disabled, type EnqueuePorts, enqueueDeliveries } from './enqueue.ts';
import { queryFailedDeliveries } from './lists.ts';
import type { RedeliverFailedBody } from './request-schemas.ts';
import { findDelivery, messageOf, restartDelivery } from './store.ts';

/**
 * Delivers an event to an endpoint once more: the same bytes under the same ids, with as many attempts as the first time.
 *
 * @throws HeraldError `not_found`, for what is foreign and what is older than 30 days too; `conflict` while the delivery
 *   is pending or the endpoint disabled
 */
export async function redeliver(
  context: Context & EnqueuePorts,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryView> {
  const { table, workspaceId, now } = context;
  const { isActive } = await getWebhook(context, webhookId);
  const ref = { workspaceId, webhookId, id: deliveryId };
  const delivery = isId(deliveryId) ? await findDelivery(table, ref, now) : undefined;
  if (!delivery) throw notFound('delivery');
  if (!isActive) throw disabled();
  const begun = delivery.status === 'pending' ? undefined : await restartDelivery(table, delivery, now);
  if (!begun) {
    throw new HeraldError('conflict', 'delivery: it is pending, so it is going to be attempted anyway');
  }
  await enqueueDeliveries(context, [messageOf(begun)]);
  return toDeliveryView(begun);
}

/** What one request may begin anew, and for how long it works; the cursor leads to the rest. */
export const redeliveryBounds = { deliveries: 1_000, pages: 10, milliseconds: 20 * secondMs };

/** Writes on their way at once. */
const batchSize = 50;

/**
 * Delivers once more what failed of the events since a time, oldest first: up to 1,000 a request.
 *
 * @param context.clock by which the request's time is measured
 * @returns how many were begun anew, and a cursor where there may be more
 * @throws HeraldError `not_found`, for a foreign endpoint too; `conflict` if it is disabled; `invalid` for a cursor of
 *   another list
 */
export async function redeliverFailed(
  context: Context & EnqueuePorts & { readonly clock: Clock },
  webhookId: string,
  { since, cursor }: RedeliverFailedBody,
): Promise<{ redelivered: number; nextCursor: string | null }> {
  const { table, workspaceId, now, clock } = context;
  const { isActive } = await getWebhook(context, webhookId);
  const scope = {
    secret: context.cursorSecret,
    listing: 'failed-deliveries',
    filters: { webhookId, since },
  };
  const seal = (id: string | undefined) => (id === undefined ? null : sealCursor(scope, id));
  let afterDeliveryId = cursor === undefined ? undefined : openCursor(scope, cursor);
  if (!isActive) throw disabled();
  const sinceMs = Math.max(0, Date.parse(since));
  const untilMs = clock() + redeliveryBounds.milliseconds;
  let redelivered = 0;
  const isEnough = () => redelivered === redeliveryBounds.deliveries || clock() > untilMs;
  for (let page = 1; page <= redeliveryBounds.pages; page += 1) {
    const options = { sinceMs, afterDeliveryId, now };
    const found = await queryFailedDeliveries(table, { workspaceId, webhookId }, options);
    for (let rest = found.deliveries; rest.length > 0; ) {
      const batch = rest.slice(0, Math.min(batchSize, redeliveryBounds.deliveries - redelivered));
      redelivered += await restartAll(context, batch);
      rest = rest.slice(batch.length);
      if (rest.length > 0 && isEnough()) return { redelivered, nextCursor: seal(batch.at(-1)?.id) };
    }
    afterDeliveryId = found.lastDeliveryId;
    if (afterDeliveryId === undefined || isEnough()) break;
  }
  return { redelivered, nextCursor: seal(afterDeliveryId) };
}

/** @returns how many were begun anew: those that another request has begun meanwhile are its */
async function restartAll(context: Context & EnqueuePorts, deliveries: readonly Delivery[]): Promise<number> {
  const { table, now } = context;
  const restarted = await Promise.all(deliveries.map((delivery) => restartDelivery(table, delivery, now)));
  const begun = restarted.filter((delivery) => delivery !== undefined);
  await enqueueDeliveries(context, begun.map(messageOf));
  return begun.length;
}
