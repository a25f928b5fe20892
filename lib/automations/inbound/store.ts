import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import type { CommentEvent, MessageEvent, TapEvent } from '../../platforms/contract/inbound.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import { batchGet } from '../../table/batch-get.ts';
import { batchWrite } from '../../table/batch-write.ts';
import { absent } from '../../table/condition.ts';
import {
  accountKey,
  inboundCommentKey,
  inboundMessageKey,
  inboundPartition,
  platformAccountPartition,
} from '../../table/keys.ts';
import { queryAll, queryPages } from '../../table/query.ts';
import { defaultRetention, type Retention } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import { readTap } from '../actions/taps.ts';
import type { InboundComment, InboundMessage } from '../schemas.ts';

/**
 * The time for which comments and messages are kept: far longer than the 36 hours for which Meta repeats an unacknowledged
 * webhook.
 */
type Kept = Pick<Retention, 'inbound'>;

/** The maximum length of a text: far more than the platform lets people write. */
const maxTextCharacters = 5_000;

/** Returns all connected accounts, in any workspace, for an account at the platform. */
export async function accountsOf(
  table: Table,
  platform: Platform,
  platformAccountId: string,
): Promise<readonly Account[]> {
  const entries = await queryAll(table, {
    partition: platformAccountPartition(platform, platformAccountId),
  });
  const keys = entries.map(({ workspaceId, accountId }) =>
    accountKey(String(workspaceId), String(accountId)),
  );
  const found = await batchGet(table, keys);
  return keys.flatMap((key) => {
    const item = found.get(key);
    const account = item && accountFromItem(item);
    return account && !account.disconnectedAt ? [account] : [];
  });
}

/** Returns the comment as it is stored for an account. `now` is in epoch milliseconds. */
export function inboundComment(
  account: Account,
  event: CommentEvent,
  now: number,
  kept: Kept = defaultRetention,
): InboundComment {
  return {
    kind: 'inboundComment',
    workspaceId: account.workspaceId,
    accountId: account.id,
    commentId: event.commentId,
    parentId: event.parentId,
    platformPostId: event.platformPostId,
    personId: event.personId,
    username: event.username,
    text: cut(event.text),
    ...when(event.at, now, kept),
  };
}

/** Returns the message or tap as it is stored for an account. `now` is in epoch milliseconds. */
export function inboundMessage(
  account: Account,
  event: MessageEvent | TapEvent,
  now: number,
  kept: Kept = defaultRetention,
): InboundMessage {
  const text = event.kind === 'tap' ? event.title : event.text;
  const isOurs = readTap(event.payload) !== undefined;
  return {
    kind: 'inboundMessage',
    workspaceId: account.workspaceId,
    accountId: account.id,
    messageId: event.messageId,
    personId: event.personId,
    text: text === null ? null : cut(text),
    payload: isOurs ? event.payload : undefined,
    ...when(event.at, now, kept),
  };
}

const cut = (text: string): string => text.slice(0, maxTextCharacters).toWellFormed();

/** Returns the time and the expiry of an event. The time is never later than now: a platform's clock may be ahead of ours. */
const when = (at: number | undefined, now: number, { inbound }: Kept) => ({
  at: toTimestamp(Math.min(at ?? now, now)),
  expiresAtSeconds: Math.floor((now + inbound * dayMs) / 1_000),
});

export function inboundItem(inbound: InboundComment | InboundMessage): Record<string, unknown> {
  const { workspaceId, accountId } = inbound;
  const key =
    inbound.kind === 'inboundComment'
      ? inboundCommentKey(workspaceId, accountId, inbound.commentId)
      : inboundMessageKey(workspaceId, accountId, inbound.messageId);
  return { ...key, ...inbound };
}

/** Returns the first part of a transaction, which fails if the event was already stored. */
export function inboundPut(
  table: Pick<Table, 'name'>,
  inbound: InboundComment | InboundMessage,
): TransactionItems[number] {
  return putPart(table, inboundItem(inbound), { pk: absent });
}

/** Deletes everything that people wrote to an account, and the records of awaited answers. */
export async function deleteInbound(
  table: Table,
  { workspaceId, id }: Pick<Account, 'workspaceId' | 'id'>,
): Promise<void> {
  const all = { partition: inboundPartition(workspaceId, id), attributes: ['pk', 'sk'] };
  for await (const page of queryPages(table, all)) {
    await batchWrite(table, { deletes: page.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })) });
  }
}
