import type { Vault } from '../../accounts/vault.ts';
import type { Context } from '../../api-contract/context.ts';
import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { attribute, differentFrom, present } from '../../table/condition.ts';
import { updateItem } from '../../table/items.ts';
import { webhookKey } from '../../table/keys.ts';
import { Webhook, webhookLimits } from '../schemas.ts';
import { newWebhookSecret } from '../transport/signature.ts';
import { toWebhookView, type WebhookWithSecret } from '../views.ts';
import { getWebhook } from './read.ts';
import { sealWebhookSecret } from './secrets.ts';

/**
 * Gives an endpoint a new secret. The current one also signs for 24 hours; an older one stops signing immediately.
 *
 * @throws HeraldError `not_found`, also for another workspace's endpoint
 */
export async function rotateSecret(
  context: Context & { readonly vault: Vault },
  webhookId: string,
): Promise<WebhookWithSecret> {
  const { table, vault, now } = context;
  const { workspaceId, id } = await getWebhook(context, webhookId);
  const secret = newWebhookSecret();
  const sealed = await sealWebhookSecret(vault, { workspaceId, id }, secret);
  const { written, item } = await updateItem(table, webhookKey(workspaceId, id), {
    set: {
      // Copied by DynamoDB, so that of two concurrent rotations the second keeps the secret of the first.
      previousSecret: attribute('secret'),
      previousSecretUntil: toTimestamp(now + webhookLimits.rotationOverlapHours * hourMs),
      secret: sealed,
    },
    add: { version: 1 },
    // The SDK repeats a write whose response was lost. The repeated write must not rotate again.
    if: { pk: present, secret: differentFrom(sealed) },
  });
  if (!item || (!written && item['secret'] !== sealed)) throw notFound('webhook');
  return { ...toWebhookView(Webhook.parse(item)), secret };
}
