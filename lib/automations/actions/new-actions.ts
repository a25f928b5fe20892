import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import type { InboundComment, MessageAction, ReplyAction } from '../schemas.ts';

/** Longer than a platform repeats the webhook of a comment, which is days at most. */
const repliesKeptMs = 30 * dayMs;
/**
 * An automation writes to each person once in this time. Nothing about people is kept for more than 400 days: DynamoDB removes
 * expired items within days, and the table's backups last another 35.
 */
export const conversationKeptDays = 360;
const peopleKeptMs = conversationKeptDays * dayMs;

/** When a conversation that begins now expires, in epoch seconds. @param now epoch milliseconds */
export const conversationExpiry = (now: number): number => Math.floor((now + peopleKeptMs) / 1_000);

/** A new public reply to a comment, due immediately. `now` in epoch milliseconds. */
export function newReply(comment: InboundComment, automationId: string, now: number): ReplyAction {
  return { kind: 'automationReply', ...newAction(comment, automationId, now, repliesKeptMs) };
}

/** A new private conversation with the commenter, due immediately. `now` in epoch milliseconds. */
export function newConversation(comment: InboundComment, automationId: string, now: number): MessageAction {
  return {
    kind: 'automationMessage',
    ...newAction(comment, automationId, now, peopleKeptMs),
    personId: comment.personId,
    stage: 'opening',
    turn: 1,
  };
}

function newAction(comment: InboundComment, automationId: string, now: number, keptMs: number) {
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
