import type { Vault } from '../../accounts/vault/vault.ts';
import type { Context } from '../../api-contract/context.ts';
import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { conditionalUpdate } from '../../table/conditional-update.ts';
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
  const { written, item } = await conditionalUpdate(table, {
    Key: webhookKey(workspaceId, id),
    // Sets see the item as it was: of two rotations at once, the second finds the first one's secret.
    UpdateExpression:
      'SET previousSecret = #secret, previousSecretUntil = :until, #secret = :sealed ADD #version :one',
    // The SDK's repeat of a write whose reply was lost must not rotate once more.
    ConditionExpression: 'attribute_exists(pk) AND #secret <> :sealed',
    ExpressionAttributeNames: { '#secret': 'secret', '#version': 'version' },
    ExpressionAttributeValues: {
      ':sealed': sealed,
      ':until': toTimestamp(now + webhookLimits.rotationOverlapHours * hourMs),
      ':one': 1,
    },
  });
  if (!item || (!written && item['secret'] !== sealed)) throw notFound('webhook');
  return { ...toWebhookView(Webhook.parse(item)), secret };
}
