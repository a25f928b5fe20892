import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { HeraldError } from '../../kernel/errors.ts';
import { endpointSubject } from '../schemas.ts';
import { getWebhook } from './read.ts';
import { updateWebhook } from './store.ts';

/** The number of tries if the endpoint changes at the same time. */
const maxTries = 10;

/**
 * Switches an endpoint off, as its owner can by an edit. Idempotent: an endpoint that is off stays unchanged, without an entry in
 * the audit log.
 *
 * @returns true if it was off before
 * @throws HeraldError `not_found`, also for another workspace's endpoint; `conflict` if others keep changing it
 */
export async function disableWebhook(
  context: Context,
  webhookId: string,
): Promise<{ readonly isRepeated: boolean }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const webhook = await getWebhook(context, webhookId);
    if (!webhook.isActive) return { isRepeated: true };
    const audit = [auditPart(context, endpointSubject(webhook))];
    const off = { isActive: false, clearsHealth: true };
    if ((await updateWebhook(context.table, webhook, off, audit)) === 'stored') return { isRepeated: false };
  }
  throw new HeraldError(
    'changed_concurrently',
    'webhook: others are changing it at the same time; try again',
  );
}
