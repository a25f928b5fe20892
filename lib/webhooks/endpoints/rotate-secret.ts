import type { Vault } from '../../accounts/vault.ts';
import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { attribute, present } from '../../table/condition.ts';
import { webhookKey } from '../../table/keys.ts';
import { transact, updatePart } from '../../table/transaction.ts';
import { endpointSubject, webhookLimits } from '../schemas.ts';
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
  const webhook = await getWebhook(context, webhookId);
  const { workspaceId, id } = webhook;
  const secret = newWebhookSecret();
  const sealed = await sealWebhookSecret(vault, { workspaceId, id }, secret);
  const rotation = updatePart(table, webhookKey(workspaceId, id), {
    set: {
      // Copied by DynamoDB, so that of two concurrent rotations the second keeps the secret of the first.
      previousSecret: attribute('secret'),
      previousSecretUntil: toTimestamp(now + webhookLimits.rotationOverlapHours * hourMs),
      secret: sealed,
    },
    add: { version: 1 },
    if: { pk: present },
  });
  // If the response is lost, the SDK repeats the transaction with the same token, and DynamoDB does not rotate again.
  const outcome = await transact(table, [rotation, auditPart(context, endpointSubject(webhook))]);
  if (!outcome.committed) throw notFound('webhook');
  return { ...toWebhookView(webhook), secret };
}
