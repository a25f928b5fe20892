import type { Context } from '../../api-contract/context.ts';
import { type AuditSubject, auditPart } from '../../audit/record.ts';
import { type Clock, secondMs } from '../../kernel/clock.ts';
import { HeraldError, notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { openCursor, sealCursor } from '../../table/cursor.ts';
import { getWebhook } from '../endpoints/read.ts';
import { type Delivery, endpointSubject } from '../schemas.ts';
import { type DeliveryView, toDeliveryView } from '../views.ts';
import { disabled, type EnqueuePorts, enqueueDeliveries } from './enqueue.ts';
import { queryFailedDeliveries } from './lists.ts';
import type { RedeliverFailedBody } from './operations.ts';
import { findDelivery, messageOf, restartDelivery } from './store.ts';

/**
 * Redelivers an event to an endpoint, with the same bytes, the same ids, and as many attempts as the first time.
 *
 * @throws HeraldError `not_found`, also for another workspace's delivery and one older than 30 days; `conflict` if the delivery
 *   is pending or the endpoint is disabled
 */
export async function redeliver(
  context: Context & EnqueuePorts,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryView> {
  const { table, workspaceId, now } = context;
  const webhook = await getWebhook(context, webhookId);
  const ref = { workspaceId, webhookId, id: deliveryId };
  const delivery = isId(deliveryId) ? await findDelivery(table, ref, now) : undefined;
  if (!delivery) throw notFound('delivery');
  if (!webhook.isActive) throw disabled();
  const audit = [auditPart(context, { ...endpointSubject(webhook), id: deliveryId })];
  const isPending = delivery.status === 'pending';
  const begun = isPending ? undefined : await restartDelivery(table, delivery, now, audit);
  if (!begun) {
    throw new HeraldError('delivery_pending', 'delivery: it is still pending, so it is attempted anyway');
  }
  await enqueueDeliveries(context, [messageOf(begun)]);
  return toDeliveryView(begun);
}

/** Limits of one request: deliveries, pages read and time. The cursor continues after them. */
export const redeliveryBounds = { deliveries: 1_000, pages: 10, milliseconds: 20 * secondMs };

/** The number of concurrent writes. */
const batchSize = 50;

/**
 * Redelivers the failed deliveries of events since a time, oldest first, up to 1,000 per request. The request has one entry in
 * the audit log, stored together with the first delivery that it restarts.
 *
 * @param context.clock measures the request's time
 * @returns the number of restarted deliveries, and a cursor if there may be more
 * @throws HeraldError `not_found`, also for another workspace's endpoint; `conflict` if it is disabled; `invalid` for a cursor of
 *   another list
 */
export async function redeliverFailed(
  context: Context & EnqueuePorts & { readonly clock: Clock },
  webhookId: string,
  { since, cursor }: RedeliverFailedBody,
): Promise<{ redelivered: number; nextCursor: string | null }> {
  const { table, workspaceId, now, clock } = context;
  const webhook = await getWebhook(context, webhookId);
  const scope = {
    secret: context.cursorSecret,
    listing: 'failed-deliveries',
    filters: { webhookId, since },
  };
  const seal = (id: string | undefined) => (id === undefined ? null : sealCursor(scope, id));
  let afterDeliveryId = cursor === undefined ? undefined : openCursor(scope, cursor);
  if (!webhook.isActive) throw disabled();
  const sinceMs = Math.max(0, Date.parse(since));
  const untilMs = clock() + redeliveryBounds.milliseconds;
  let redelivered = 0;
  const isEnough = () => redelivered === redeliveryBounds.deliveries || clock() > untilMs;
  for (let page = 1; page <= redeliveryBounds.pages; page += 1) {
    const options = { sinceMs, afterDeliveryId, now };
    const found = await queryFailedDeliveries(table, { workspaceId, webhookId }, options);
    for (let rest = found.deliveries; rest.length > 0; ) {
      const batch = rest.slice(0, Math.min(batchSize, redeliveryBounds.deliveries - redelivered));
      redelivered += await restartAll(
        context,
        batch,
        redelivered === 0 ? endpointSubject(webhook) : undefined,
      );
      rest = rest.slice(batch.length);
      if (rest.length > 0 && isEnough()) return { redelivered, nextCursor: seal(batch.at(-1)?.id) };
    }
    afterDeliveryId = found.lastDeliveryId;
    if (afterDeliveryId === undefined || isEnough()) break;
  }
  return { redelivered, nextCursor: seal(afterDeliveryId) };
}

/**
 * @param audited the subject of the request's entry in the audit log; `undefined` if it is stored already
 * @returns the number of restarted deliveries, without those that another request has restarted in the meantime
 */
async function restartAll(
  context: Context & EnqueuePorts,
  deliveries: readonly Delivery[],
  audited: AuditSubject | undefined,
): Promise<number> {
  const { table, now } = context;
  const rest = [...deliveries];
  const begun: Delivery[] = [];
  while (audited !== undefined && begun.length === 0) {
    const first = rest.shift();
    if (!first) return 0;
    const restarted = await restartDelivery(table, first, now, [auditPart(context, audited)]);
    if (restarted) begun.push(restarted);
  }
  const restarted = await Promise.all(rest.map((delivery) => restartDelivery(table, delivery, now)));
  begun.push(...restarted.filter((delivery) => delivery !== undefined));
  await enqueueDeliveries(context, begun.map(messageOf));
  return begun.length;
}
