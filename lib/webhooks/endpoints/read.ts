import type { Context } from '../../api-contract/context.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { openCursor, sealCursor } from '../../table/cursor.ts';
import type { Webhook } from '../schemas.ts';
import { toWebhookView, type WebhookView } from '../views.ts';
import { findWebhook, queryWebhooks } from './store.ts';

/** @throws HeraldError `not_found`, also for another workspace's endpoint */
export async function getWebhook(context: Context, webhookId: string): Promise<Webhook> {
  const webhook = isId(webhookId)
    ? await findWebhook(context.table, context.workspaceId, webhookId)
    : undefined;
  if (!webhook) throw notFound('webhook');
  return webhook;
}

/** @throws HeraldError `not_found`, also for another workspace's endpoint */
export async function readWebhook(context: Context, webhookId: string): Promise<WebhookView> {
  return toWebhookView(await getWebhook(context, webhookId));
}

/**
 * Returns the workspace's endpoints: all of them, or one page if `limit` is given.
 *
 * @throws HeraldError `invalid` for a cursor of another list
 */
export async function listWebhooks(
  context: Context,
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ webhooks: WebhookView[]; nextCursor: string | null }> {
  const scope = { secret: context.cursorSecret, listing: 'webhooks', filters: {} };
  const afterWebhookId = cursor === undefined ? undefined : openCursor(scope, cursor);
  const page = await queryWebhooks(context.table, context.workspaceId, { limit, afterWebhookId });
  return {
    webhooks: page.webhooks.map(toWebhookView),
    nextCursor: page.lastWebhookId === undefined ? null : sealCursor(scope, page.lastWebhookId),
  };
}
