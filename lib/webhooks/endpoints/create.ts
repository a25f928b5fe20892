import type { Vault } from '../../accounts/vault.ts';
import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import type { PublicNetwork } from '../../http-client/address-guard/public-url.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { HeraldError, invalidField, invalidFields } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { batchGet } from '../../table/batch-get.ts';
import { accountKey } from '../../table/keys.ts';
import { endpointSubject, type Webhook, type WebhookFormat, webhookLimits } from '../schemas.ts';
import { newWebhookSecret } from '../transport/signature.ts';
import { checkReachableUrl } from '../transport/url.ts';
import { toWebhookView, type WebhookWithSecret } from '../views.ts';
import type { CreateWebhookBody } from './operations.ts';
import { sealWebhookSecret } from './secrets.ts';
import { insertWebhook } from './store.ts';

export interface CreateWebhookContext extends Context {
  readonly vault: Vault;
  readonly network: PublicNetwork;
}

/** The form of an endpoint's events, if it is not Herald's own, and a secret that the client has chosen. */
export interface OwnForm {
  readonly format?: WebhookFormat;
  readonly secret?: string;
}

/**
 * Registers an endpoint. Its secret is returned only here; the table stores it sealed.
 *
 * @throws HeraldError `invalid` if the URL is not allowed or the workspace has its maximum of endpoints; `conflict` if the
 *   workspace already has an endpoint with this URL
 */
export async function createWebhook(
  context: CreateWebhookContext,
  { url, events, accountIds, isActive, description }: CreateWebhookBody,
  { format, secret = newWebhookSecret() }: OwnForm = {},
): Promise<WebhookWithSecret> {
  const { table, workspaceId, now, vault, network } = context;
  const accounts = accountIds && (await requireAccounts(context, accountIds));
  const href = await requireReachable(url, network);
  const id = newId(now);
  const webhook: Webhook = {
    id,
    workspaceId,
    url: href,
    events: [...new Set(events)],
    ...(accounts && { accountIds: accounts }),
    isActive,
    description,
    attemptsLeft: webhookLimits.attemptsToUnanswering,
    statusMessage: null,
    ...(format && { format }),
    secret: await sealWebhookSecret(vault, { workspaceId, id }, secret),
    createdAt: toTimestamp(now),
    version: 1,
  };
  const outcome = await insertWebhook(table, webhook, [auditPart(context, endpointSubject(webhook))]);
  if (outcome === 'url taken') throw urlTaken();
  if (outcome === 'too many') {
    throw invalidField(
      'url',
      `the workspace has ${webhookLimits.endpointsPerWorkspace} webhooks, which is the maximum; delete one, or add events to an existing one`,
      'too_many_webhooks',
    );
  }
  return { ...toWebhookView(webhook), secret };
}

/** @throws HeraldError `invalid`, naming the field and the problem with the URL or with its host */
export async function requireReachable(url: string, network: PublicNetwork): Promise<string> {
  const checked = await checkReachableUrl(url, network);
  if ('problem' in checked) throw invalidField('url', checked.problem, 'url_not_allowed');
  return checked.url.href;
}

/**
 * Returns the ids without duplicates.
 *
 * @throws HeraldError `invalid`, naming each id that is not a connected account of the workspace
 */
export async function requireAccounts(
  { table, workspaceId }: Context,
  accountIds: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(accountIds)];
  const found = await batchGet(
    table,
    ids.map((id) => accountKey(workspaceId, id)),
  );
  const problems = accountIds.flatMap((id, index) => {
    const item = found.get(accountKey(workspaceId, id));
    const isConnected = item !== undefined && item['disconnectedAt'] === undefined;
    return isConnected
      ? []
      : [{ field: `accountIds[${index}]`, code: 'account_unknown' as const, message: 'no such account' }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return ids;
}

export function urlTaken(): HeraldError {
  return new HeraldError(
    'webhook_exists',
    'url: another webhook of this workspace has this URL; change that one',
    { param: 'url' },
  );
}
