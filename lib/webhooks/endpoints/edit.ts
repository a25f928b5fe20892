import { requireProof } from '../../access/may.ts';
import type { Vault } from '../../accounts/vault.ts';
import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import type { PublicNetwork } from '../../http-client/address-guard/public-url.ts';
import { HeraldError } from '../../kernel/errors.ts';
import { endpointSubject, type Webhook } from '../schemas.ts';
import { toWebhookView, type WebhookView } from '../views.ts';
import { requireAccounts, requireReachable, urlTaken } from './create.ts';
import type { EditWebhookBody } from './operations.ts';
import { getWebhook } from './read.ts';
import { sealWebhookSecret } from './secrets.ts';
import { deleteWebhook, updateWebhook, type WebhookChanges } from './store.ts';

export interface EditWebhookContext extends Context {
  readonly network: PublicNetwork;
}

/** A signing secret that the client has chosen. It replaces the current one at once. */
export type NewSecret =
  | { readonly secret: string; readonly vault: Vault }
  | { readonly secret?: undefined; readonly vault?: undefined };

/** The number of tries of a change if other clients change the endpoint at the same time. */
const maxTries = 10;

/**
 * Changes the given fields of an endpoint. Turning it on again, or giving an active one another URL, clears its recorded
 * failures.
 *
 * @throws HeraldError `sign_in_again` if a person would send more, or to another URL, without a recent sign-in; `not_found`, also for another workspace's endpoint; `invalid` if the URL is not allowed; `conflict`
 *   if another endpoint of the workspace has that URL
 */
export async function editWebhook(
  context: EditWebhookContext,
  webhookId: string,
  body: EditWebhookBody,
  newSecret: NewSecret = {},
): Promise<WebhookView> {
  let webhook = await getWebhook(context, webhookId);
  if (sendsMore(webhook, body)) requireProof(context.actor, context.now);
  const url = body.url === undefined ? undefined : await requireReachable(body.url, context.network);
  const accountIds = body.accountIds && (await requireAccounts(context, body.accountIds));
  const events = body.events && [...new Set(body.events)];
  const secret =
    newSecret.secret === undefined
      ? undefined
      : await sealWebhookSecret(newSecret.vault, webhook, newSecret.secret);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { isActive, description } = body;
    const changes = { url, events, accountIds, isActive, description, secret };
    if (Object.values(changes).every((value) => value === undefined)) return toWebhookView(webhook);
    // Somebody else may have changed it since.
    if (sendsMore(webhook, body)) requireProof(context.actor, context.now);
    const clearsHealth = makesHealthStale(webhook, changes);
    const audit = [auditPart(context, endpointSubject(webhook))];
    const outcome = await updateWebhook(context.table, webhook, { ...changes, clearsHealth }, audit);
    if (outcome === 'url taken') throw urlTaken();
    if (outcome === 'stored') return toWebhookView(changed(webhook, { ...changes, clearsHealth }));
    webhook = await getWebhook(context, webhookId);
  }
  throw busy();
}

/** True if the endpoint would receive at another URL, other events, or events about other accounts. */
function sendsMore(before: Webhook, { url = before.url, events = [], accountIds }: EditWebhookBody): boolean {
  const receives = before.events.includes('*') ? undefined : new Set<string>(before.events);
  const about = before.accountIds && new Set(before.accountIds);
  return (
    url !== before.url ||
    (receives !== undefined && events.some((event) => !receives.has(event))) ||
    (about !== undefined && accountIds !== undefined && !accountIds?.every((id) => about.has(id)))
  );
}

/** True if the recorded health no longer applies after the changes. */
function makesHealthStale(
  before: Webhook,
  { url, isActive = before.isActive }: Omit<WebhookChanges, 'clearsHealth'>,
) {
  const isMoved = url !== undefined && url !== before.url;
  return isActive !== before.isActive || (isActive && isMoved);
}

function changed(before: Webhook, { clearsHealth, ...changes }: WebhookChanges): Webhook {
  const { url = before.url, events = before.events, isActive = before.isActive } = changes;
  const { description = before.description, accountIds = before.accountIds } = changes;
  const health = clearsHealth ? { failingSince: undefined, statusMessage: null } : {};
  const { accountIds: _, ...rest } = before;
  const filter = accountIds ? { accountIds: [...accountIds] } : {};
  return { ...rest, url, events, ...filter, isActive, description, ...health };
}

/**
 * Deletes an endpoint. It receives nothing more, and its URL may be registered again.
 *
 * @throws HeraldError `not_found`, also for another workspace's endpoint
 */
export async function removeWebhook(context: Context, webhookId: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const webhook = await getWebhook(context, webhookId);
    const audit = [auditPart(context, endpointSubject(webhook))];
    if ((await deleteWebhook(context.table, webhook, audit)) === 'deleted') return;
  }
  throw busy();
}

function busy(): HeraldError {
  return new HeraldError(
    'changed_concurrently',
    'webhook: many requests are changing it at the same time; try again',
  );
}
