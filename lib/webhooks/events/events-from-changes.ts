import { toAccountView } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { InboundComment, InboundMessage } from '../../automations/schemas.ts';
import { derivedTimeId } from '../../kernel/ids.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import type { ItemChange } from '../../table/stream.ts';
import type { WebhookEventType } from '../schemas.ts';
import type { EventDraft } from './event-draft.ts';
import { postEvents } from './post-events.ts';

type Item = Readonly<Record<string, unknown>>;

/** The settings that, with the change, determine the form of an event's data. */
export interface EventSettings {
  /** The media host, without a final slash. */
  readonly mediaBaseUrl: string;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
}

/**
 * Returns the events that a change of an item causes. Pure.
 *
 * @throws if an item cannot be read
 */
export function eventsFromChange(
  change: ItemChange,
  { mediaBaseUrl, stageFeatures }: EventSettings,
): EventDraft[] {
  switch (change.after?.['kind']) {
    case 'post':
      return postEvents(change, mediaBaseUrl);
    case 'account':
      return listOf(accountEvent(change, change.after, stageFeatures));
    case 'inboundComment':
      return listOf(commentEvent(change, change.after));
    case 'inboundMessage':
      return listOf(messageEvent(change, change.after));
    default:
      return [];
  }
}

const listOf = (draft: EventDraft | undefined): EventDraft[] => (draft ? [draft] : []);

/**
 * Returns the type of event that a change of an account causes. Every connection by a person causes one, also for an account that
 * is still connected: its authorization is a new one, perhaps another person's. It makes the account `ok`, and nothing else
 * changes `connectedAt`.
 */
function accountEventType(before: Item | undefined, after: Item): WebhookEventType | undefined {
  const wasConnected = before !== undefined && before['disconnectedAt'] === undefined;
  if (after['disconnectedAt'] !== undefined) return wasConnected ? 'account.disconnected' : undefined;
  const isNew = !wasConnected || before['connectedAt'] !== after['connectedAt'];
  if (isNew && after['status'] === 'ok') return 'account.connected';
  if (isToldToExpire(before, after)) return 'account.expiring';
  const expires = before !== undefined && before['status'] !== 'expired' && after['status'] === 'expired';
  return expires ? 'account.expired' : undefined;
}

/**
 * Returns true if a change records a notice that access ends. The sweep records each notice of each end once. An account that has
 * expired by then has had its event.
 */
function isToldToExpire(before: Item | undefined, after: Item): boolean {
  if (before === undefined || after['expiringNotice'] === undefined || after['status'] === 'expired')
    return false;
  const [last, notice] = [before, after].map((item) => accountFromItem(item).expiringNotice);
  return notice?.days !== last?.days || notice?.reconnectBy !== last?.reconnectBy;
}

function accountEvent(
  { before, atMs, sequenceNumber }: ItemChange,
  after: Item,
  stageFeatures: StageFeatures,
): EventDraft | undefined {
  const type = accountEventType(before, after);
  if (type === undefined) return undefined;
  // Disconnecting erases the profile. The event shows the account as it was, so that its receiver recognizes it.
  const shown =
    type === 'account.disconnected' ? { ...before, disconnectedAt: after['disconnectedAt'] } : after;
  const account = accountFromItem(shown);
  const { id, workspaceId } = account;
  return {
    id: derivedTimeId(atMs, 'account', workspaceId, id, sequenceNumber),
    workspaceId,
    type,
    atMs,
    accountIds: [id],
    data: { account: toAccountView(account, stageFeatures) },
  };
}

/** Returns the event of a comment, which occurs when its item is created. */
function commentEvent({ before }: ItemChange, after: Item): EventDraft | undefined {
  if (before !== undefined) return undefined;
  const { workspaceId, accountId, commentId, platformPostId, text, username, at, automationId } =
    InboundComment.parse(after);
  const atMs = Date.parse(at);
  return {
    id: derivedTimeId(atMs, 'comment', workspaceId, accountId, commentId),
    workspaceId,
    type: 'comment.received',
    atMs,
    accountIds: [accountId],
    data: { accountId, platformPostId, commentId, text, username, at, automationId },
  };
}

/** Returns the event of a message. A tap on a button of Herald's is part of an automation and causes none. */
function messageEvent({ before }: ItemChange, after: Item): EventDraft | undefined {
  if (before !== undefined || after['payload'] !== undefined) return undefined;
  const { workspaceId, accountId, messageId, personId, text, at } = InboundMessage.parse(after);
  const atMs = Date.parse(at);
  return {
    id: derivedTimeId(atMs, 'message', workspaceId, accountId, messageId),
    workspaceId,
    type: 'dm.received',
    atMs,
    accountIds: [accountId],
    data: { accountId, senderId: personId, text, at },
  };
}
