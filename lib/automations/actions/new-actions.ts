import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import type { InboundComment, InboundMessage, MessageAction, ReplyAction } from '../schemas.ts';

/** The time for which replies are kept. A platform repeats the webhook of a comment for days at most. */
const repliesKeptMs = 30 * dayMs;
/**
 * The number of days for which a conversation is kept: an automation writes to each person once in this time. No data about
 * people is kept for more than 400 days: DynamoDB removes expired items within days, and the table's backups last another 35.
 */
export const conversationKeptDays = 360;
const peopleKeptMs = conversationKeptDays * dayMs;

/** Returns the expiry of a conversation that begins now, in epoch seconds. @param now epoch milliseconds */
export const conversationExpiry = (now: number): number => Math.floor((now + peopleKeptMs) / 1_000);

/** Returns a new public reply to a comment, due immediately. `now` is in epoch milliseconds. */
export function newReply(comment: InboundComment, automationId: string, now: number): ReplyAction {
  return { kind: 'automationReply', ...newAction(comment, automationId, now, repliesKeptMs) };
}

/** Returns a new private conversation with the commenter, due immediately. `now` is in epoch milliseconds. */
export function newConversation(comment: InboundComment, automationId: string, now: number): MessageAction {
  return {
    kind: 'automationMessage',
    ...newAction(comment, automationId, now, peopleKeptMs),
    personId: comment.personId,
    stage: 'opening',
    turn: 1,
  };
}

/**
 * Returns a new conversation with a person whose message starts it, due immediately. It begins as if the person had tapped: the
 * platform accepts messages to people who have written, and says whether they follow, so no private reply and no question come first.
 *
 * @param now epoch milliseconds
 */
export function newConversationByMessage(
  message: InboundMessage,
  automationId: string,
  now: number,
): MessageAction {
  const { messageId: commentId, personId, at } = message;
  return {
    kind: 'automationMessage',
    ...newAction({ ...message, commentId }, automationId, now, peopleKeptMs),
    personId,
    stage: 'gated',
    turn: 1,
    lastHeardAt: at,
  };
}

type Cause = Pick<InboundComment, 'workspaceId' | 'accountId' | 'commentId' | 'parentId' | 'at'>;

function newAction(comment: Cause, automationId: string, now: number, keptMs: number) {
  const { workspaceId, accountId, commentId, parentId } = comment;
  return {
    workspaceId,
    accountId,
    automationId,
    commentId,
    parentId,
    state: 'waiting' as const,
    attempt: 0,
    failures: 0,
    wakeAt: toTimestamp(now),
    createdAt: comment.at,
    expiresAtSeconds: Math.floor((now + keptMs) / 1_000),
  };
}
