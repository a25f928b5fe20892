import { sha256 } from '../../kernel/ids.ts';
import { requireMove } from '../../kernel/life-cycle.ts';
import { absent, anyOf, type Condition, lessThan, moreThan, present } from '../../table/condition.ts';
import { getItem } from '../../table/items.ts';
import { webhookKey, webhookPrefix, webhookUrlKey, workspaceKey } from '../../table/keys.ts';
import { queryAll, queryPage } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import type { Table } from '../../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { type ItemUpdate, ifAbsent, removed } from '../../table/update.ts';
import { EventFeedSwitch, firstUse, recordedSince } from '../../workspaces/event-feed.ts';
import { Webhook, webhookLifeCycle, webhookLimits, webhookStatus } from '../schemas.ts';
import { normalWebhookUrl } from '../transport/url.ts';

/** Reads an endpoint, strongly consistent; `undefined` for an unknown id and for one of another workspace. */
export async function findWebhook(
  table: Table,
  workspaceId: string,
  webhookId: string,
): Promise<Webhook | undefined> {
  const item = await getItem(table, webhookKey(workspaceId, webhookId));
  return item && Webhook.parse(item);
}

/**
 * Returns a workspace's endpoints in order of creation, at most 20: all of them, or one page if `limit` is given.
 */
export async function queryWebhooks(
  table: Table,
  workspaceId: string,
  options: { limit?: number | undefined; afterWebhookId?: string | undefined },
): Promise<{ webhooks: Webhook[]; lastWebhookId: string | undefined }> {
  const { limit, afterWebhookId } = options;
  const { items, lastKey } = await queryPage(table, {
    partition: workspaceKey(workspaceId).pk,
    sort: { beginsWith: webhookPrefix },
    limit,
    after: afterWebhookId ? webhookKey(workspaceId, afterWebhookId) : undefined,
  });
  return {
    webhooks: readableItems(table, items, (item) => Webhook.parse(item)),
    lastWebhookId: lastKey && String(lastKey['sk']).slice(webhookPrefix.length),
  };
}

/** The receivers of a workspace's events. */
export interface Receivers {
  readonly endpoints: readonly Webhook[];
  /** True if the workspace's events are recorded in its feed. */
  readonly hasFeed: boolean;
}

/**
 * Reads everything that decides who receives a workspace's events, strongly consistent: its endpoints, and the workspace itself,
 * which is next to them.
 *
 * @throws if one of them cannot be read
 */
export async function queryReceivers(table: Table, workspaceId: string): Promise<Receivers> {
  const { pk, sk } = workspaceKey(workspaceId);
  const items = await queryAll(table, { partition: pk, sort: { between: [webhookPrefix, sk] } });
  const ofKind = (kind: string) => items.filter((item) => item['kind'] === kind);
  const [workspace = {}] = ofKind('workspace');
  return {
    endpoints: ofKind('webhook').map((item) => Webhook.parse(item)),
    hasFeed: recordedSince(EventFeedSwitch.parse(workspace)) !== undefined,
  };
}

/**
 * Stores a new endpoint, reserves its URL, counts it and turns the event feed on unless that was decided before, all or nothing.
 *
 * @param audit the entry of the audit log, here and below
 */
export async function insertWebhook(
  table: Table,
  webhook: Webhook,
  audit: TransactionItems = [],
): Promise<'stored' | 'url taken' | 'too many'> {
  const { workspaceId, id } = webhook;
  const writes = [
    reserveUrl(table, webhook),
    updatePart(table, workspaceKey(workspaceId), {
      set: firstUse(Date.parse(webhook.createdAt)),
      add: { webhooks: 1 },
      if: { pk: present, webhooks: anyOf(absent, lessThan(webhookLimits.endpointsPerWorkspace)) },
    }),
    putPart(table, { ...webhookKey(workspaceId, id), kind: 'webhook', ...webhook }, { pk: absent }),
    ...audit,
  ];
  const outcome = await transact(table, writes);
  if (outcome.committed) return 'stored';
  return outcome.failedIndex === 0 ? 'url taken' : 'too many';
}

/** The changes that a client may make. A client's change can clear the health that Herald has recorded, but never set it. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: Webhook['events'] | undefined;
  /** Null removes the filter. */
  readonly accountIds?: readonly string[] | null | undefined;
  readonly isActive?: boolean | undefined;
  readonly description?: string | null | undefined;
  /** Sealed. The one before it signs no more. */
  readonly secret?: string | undefined;
  /** Clears `failingSince` and `statusMessage`. */
  readonly clearsHealth: boolean;
}

/**
 * Changes an endpoint that no client has changed since it was read. If the URL changes, it releases the old one and
 * reserves the new one, all or nothing.
 *
 * @returns `changed` if the endpoint was changed or deleted in the meantime: read it again and retry
 * @throws ForbiddenMoveError for a move that the life cycle does not allow
 */
export async function updateWebhook(
  table: Table,
  before: Webhook,
  { clearsHealth, accountIds, ...changes }: WebhookChanges,
  audit: TransactionItems = [],
): Promise<'stored' | 'url taken' | 'changed'> {
  const health = clearsHealth ? { statusMessage: null, failingSince: removed } : {};
  const filter = accountIds === undefined ? {} : { accountIds: accountIds ?? removed };
  const after = { ...before, url: changes.url ?? before.url };
  const isMoved = urlDigest(after.url) !== urlDigest(before.url);
  // Another URL has yet to answer. Who moves an endpoint that has not answered gains no attempts.
  const proof = isMoved ? { attemptsLeft: ifAbsent(webhookLimits.attemptsToUnanswering) } : {};
  const rotation =
    changes.secret === undefined ? {} : { previousSecret: removed, previousSecretUntil: removed };
  const set = { ...changes, ...filter, ...health, ...proof, ...rotation, version: before.version + 1 };
  const update = webhookUpdate(before, set, { version: before.version });
  const moves = isMoved ? [reserveUrl(table, after), releaseUrl(table, before)] : [];
  const outcome = await transact(table, [
    updatePart(table, webhookKey(before.workspaceId, before.id), update),
    ...moves,
    ...audit,
  ]);
  if (outcome.committed) return 'stored';
  return outcome.failedIndex === 1 ? 'url taken' : 'changed';
}

/**
 * Deletes an endpoint and releases its URL. Its pending deliveries end when their next attempt is due.
 *
 * @returns `changed` if a client has changed or deleted it since it was read
 */
export async function deleteWebhook(
  table: Table,
  webhook: Webhook,
  audit: TransactionItems = [],
): Promise<'deleted' | 'changed'> {
  const { workspaceId, id, version } = webhook;
  const writes = [
    deletePart(table, webhookKey(workspaceId, id), { version }),
    releaseUrl(table, webhook),
    updatePart(table, workspaceKey(workspaceId), { add: { webhooks: -1 }, if: { webhooks: moreThan(0) } }),
    ...audit,
  ];
  const outcome = await transact(table, writes);
  if (outcome.committed) return 'deleted';
  if (outcome.failedIndex === 0) return 'changed';
  throw new Error(
    `workspace ${workspaceId}: the URL reservation or the counter of endpoint ${id} is missing`,
  );
}

/**
 * Builds the update of an endpoint. Every change of its status goes through here.
 *
 * @param before as read
 * @throws ForbiddenMoveError for a move that the life cycle does not allow
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

function reserveUrl(table: Table, { workspaceId, id, url }: Webhook): TransactionItems[number] {
  const key = webhookUrlKey(workspaceId, urlDigest(url));
  return putPart(table, { ...key, kind: 'webhookUrl', webhookId: id }, { pk: absent });
}

function releaseUrl(table: Table, { workspaceId, id, url }: Webhook): TransactionItems[number] {
  return deletePart(table, webhookUrlKey(workspaceId, urlDigest(url)), { webhookId: id });
}

const urlDigest = (url: string): string => sha256(normalWebhookUrl(new URL(url)));
