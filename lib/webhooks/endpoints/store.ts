import { sha256 } from '../../kernel/ids.ts';
import { requireMove } from '../../kernel/life-cycle.ts';
import { absent, anyOf, type Condition, lessThan, moreThan, present } from '../../table/condition.ts';
import { getItem } from '../../table/items.ts';
import { webhookKey, webhookPrefix, webhookUrlKey, workspaceKey } from '../../table/keys.ts';
import { queryPage } from '../../table/query.ts';
import type { Table } from '../../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { type ItemUpdate, removed } from '../../table/update.ts';
import { Webhook, webhookLifeCycle, webhookLimits, webhookStatus } from '../schemas.ts';
import { normalWebhookUrl } from '../transport/url.ts';

/** The endpoint, strongly consistent; `undefined` for an unknown and a foreign id alike. */
export async function findWebhook(
  table: Table,
  workspaceId: string,
  webhookId: string,
): Promise<Webhook | undefined> {
  const item = await getItem(table, webhookKey(workspaceId, webhookId));
  return item && Webhook.parse(item);
}

/** A workspace's endpoints in the order of their creation, at most 20: all, or a page if `limit` is given. */
export async function queryWebhooks(
  table: Table,
  workspaceId: string,
  { limit, afterWebhookId }: { limit?: number | undefined; afterWebhookId?: string | undefined },
): Promise<{ webhooks: Webhook[]; lastWebhookId: string | undefined }> {
  const { items, lastKey } = await queryPage(table, {
    partition: workspaceKey(workspaceId).pk,
    sort: { beginsWith: webhookPrefix },
    limit,
    after: afterWebhookId ? webhookKey(workspaceId, afterWebhookId) : undefined,
  });
  return {
    webhooks: items.map((item) => Webhook.parse(item)),
    lastWebhookId: lastKey && String(lastKey['sk']).slice(webhookPrefix.length),
  };
}

/** Whoever registers or deletes endpoints in one workspace meets on its counter. */
const attemptsAtOneWorkspace = 12;

/** Stores a new endpoint, holds its URL and counts it, all or nothing. */
export async function insertWebhook(
  table: Table,
  webhook: Webhook,
): Promise<'stored' | 'url taken' | 'too many'> {
  const { workspaceId, id } = webhook;
  const writes = [
    holdUrl(table, webhook),
    updatePart(table, workspaceKey(workspaceId), {
      add: { webhooks: 1 },
      if: { pk: present, webhooks: anyOf(absent, lessThan(webhookLimits.endpointsPerWorkspace)) },
    }),
    putPart(table, { ...webhookKey(workspaceId, id), kind: 'webhook', ...webhook }, { pk: absent }),
  ];
  const outcome = await transact(table, writes, attemptsAtOneWorkspace);
  if (outcome.committed) return 'stored';
  return outcome.failedIndex === 0 ? 'url taken' : 'too many';
}

/** What a client may change; what Herald notes of an endpoint's health is cleared with it, never set. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: Webhook['events'] | undefined;
  readonly isActive?: boolean | undefined;
  readonly description?: string | null | undefined;
  /** Forgets `failingSince` and `statusMessage`. */
  readonly clearsHealth: boolean;
}

/**
 * Changes an endpoint that no client has changed since it was read. With another URL it lets go of the old one and holds
 * the new one, all or nothing.
 *
 * @returns `changed` if it has been changed or deleted meanwhile: read again and decide anew
 * @throws ForbiddenMoveError for a move that an endpoint never makes
 */
export async function updateWebhook(
  table: Table,
  before: Webhook,
  { clearsHealth, ...changes }: WebhookChanges,
): Promise<'stored' | 'url taken' | 'changed'> {
  const health = clearsHealth ? { statusMessage: null, failingSince: removed } : {};
  const set = { ...changes, ...health, version: before.version + 1 };
  const update = webhookUpdate(before, set, { version: before.version });
  const after = { ...before, url: changes.url ?? before.url };
  const moves =
    urlDigest(after.url) === urlDigest(before.url) ? [] : [holdUrl(table, after), letGo(table, before)];
  const outcome = await transact(table, [
    updatePart(table, webhookKey(before.workspaceId, before.id), update),
    ...moves,
  ]);
  if (outcome.committed) return 'stored';
  return outcome.failedIndex === 1 ? 'url taken' : 'changed';
}

/**
 * Deletes an endpoint with all that it holds. What is still to be delivered to it ends when its next attempt is due.
 *
 * @returns `changed` if a client has changed or deleted it since it was read
 */
export async function deleteWebhook(table: Table, webhook: Webhook): Promise<'deleted' | 'changed'> {
  const { workspaceId, id, version } = webhook;
  const writes = [
    deletePart(table, webhookKey(workspaceId, id), { version }),
    letGo(table, webhook),
    updatePart(table, workspaceKey(workspaceId), { add: { webhooks: -1 }, if: { webhooks: moreThan(0) } }),
  ];
  const outcome = await transact(table, writes, attemptsAtOneWorkspace);
  if (outcome.committed) return 'deleted';
  if (outcome.failedIndex === 0) return 'changed';
  throw new Error(`the workspace ${workspaceId} does not hold what its endpoint ${id} should hold`);
}

/**
 * The update of an endpoint: every change of its status comes through here.
 *
 * @param before as it was read
 * @throws ForbiddenMoveError for a move that an endpoint never makes
 */
export function webhookUpdate(
  before: Webhook,
  set: NonNullable<ItemUpdate['set']> & { readonly isActive?: boolean | undefined },
  condition: Condition,
): ItemUpdate {
  const { isActive = before.isActive, failingSince = before.failingSince } = set;
  const after = { isActive, failingSince: typeof failingSince === 'string' ? failingSince : undefined };
  requireMove('webhook', webhookLifeCycle, webhookStatus(before), webhookStatus(after));
  return { set, if: condition };
}

function holdUrl(table: Table, { workspaceId, id, url }: Webhook): TransactionItems[number] {
  const key = webhookUrlKey(workspaceId, urlDigest(url));
  return putPart(table, { ...key, kind: 'webhookUrl', webhookId: id }, { pk: absent });
}

function letGo(table: Table, { workspaceId, id, url }: Webhook): TransactionItems[number] {
  return deletePart(table, webhookUrlKey(workspaceId, urlDigest(url)), { webhookId: id });
}

const urlDigest = (url: string): string => sha256(normalWebhookUrl(new URL(url)));
