import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import type { InboundComment, MessageAction, ReplyAction } from '../schemas.ts';

/** Webhooks of a comment are repeated for days at most. */
const repliesKeptMs = 30 * dayMs;
/** Nobody is written to twice by an automation: who was is remembered for as long as any automation lives. */
const peopleKeptMs = 3_650 * dayMs;

/** The public reply to a comment, due at once. */
export function newReply(comment: InboundComment, automationId: string, now: number): ReplyAction {
  return { kind: 'automationReply', ...common(comment, automationId, now, repliesKeptMs) };
}

/** The private conversation with who has commented, to be opened at once. */
export function newConversation(comment: InboundComment, automationId: string, now: number): MessageAction {
  return {
    kind: 'automationMessage',
    ...common(comment, automationId, now, peopleKeptMs),
    personId: comment.personId,
    stage: 'opening',
    turn: 1,
  };
}

function common(comment: InboundComment, automationId: string, now: number, keptMs: number) {
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
