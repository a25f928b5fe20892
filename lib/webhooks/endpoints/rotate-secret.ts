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
 * Gives an endpoint a new secret. The one it had signs beside it for 24 hours; one that it had before that signs no more.
 *
 * @throws HeraldError `not_found`, for a foreign endpoint too
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
      // Of two rotations at once, the second finds the first one's secret.
      previousSecret: attribute('secret'),
      previousSecretUntil: toTimestamp(now + webhookLimits.rotationOverlapHours * hourMs),
      secret: sealed,
    },
    add: { version: 1 },
    // The SDK's repeat of a write whose reply was lost must not rotate once more.
    if: { pk: present, secret: differentFrom(sealed) },
  });
  if (!item || (!written && item['secret'] !== sealed)) throw notFound('webhook');
  return { ...toWebhookView(Webhook.parse(item)), secret };
}
