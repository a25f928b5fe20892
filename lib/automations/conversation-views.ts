import * as z from 'zod';
import { CursorQuery, limitQuery, Timestamp } from '../api-contract/fields.ts';
import { waitReasonOf } from './actions/waits.ts';
import { failureCodes } from './failure-codes.ts';
import type { AutomationAction, InboundComment, InboundMessage } from './schemas.ts';
import { WhoCanAct } from './views.ts';

/** The number of days for which replies and messages are listed. */
export const conversationDays = 30;

const ConversationState = z
  .enum(['waiting', 'awaiting_answer', 'done', 'failed', 'unknown'])
  .meta({ id: 'CommentAutomationConversationState' });
export type ConversationState = z.infer<typeof ConversationState>;
const ConversationKind = z
  .enum(['public_reply', 'private_message'])
  .meta({ id: 'CommentAutomationConversationKind' });

export const ConversationsQuery = z.object({
  state: ConversationState.optional(),
  kind: ConversationKind.optional(),
  limit: limitQuery(100).default(50),
  cursor: CursorQuery,
});
export type ConversationQuery = z.infer<typeof ConversationsQuery>;

const Reason = z
  .object({
    code: z.string().meta({ description: 'One of the codes of `failures` and of `waiting`' }),
    message: z.string(),
    whoCanAct: WhoCanAct,
  })
  .meta({ id: 'CommentAutomationReason' });

export const ConversationView = z
  .object({
    kind: ConversationKind.meta({
      description:
        '`public_reply`: the reply to a comment. `private_message`: the conversation with a person',
    }),
    commentId: z
      .string()
      .nullable()
      .meta({ description: 'The comment that it answers; null if a message has started it' }),
    messageId: z
      .string()
      .nullable()
      .meta({ description: 'The message that has started it; null for the answer to a comment' }),
    personId: z.string().nullable().meta({
      description:
        "The platform's id of the person for this account; null for a reply whose comment is not kept any more",
    }),
    username: z.string().nullable().meta({
      description:
        'Null once the comment is not kept any more, usually after 8 days, and for the sender of a message',
    }),
    text: z.string().nullable().meta({
      description: 'The text of the comment or message; null once it is not kept any more',
    }),
    commentedAt: Timestamp.meta({ description: 'Time of the comment or message' }),
    state: ConversationState.meta({
      description:
        '`waiting`: it is sent, or tried again, later. `awaiting_answer`: the question of the follow gate was sent, and the person has not answered. `done`: it was sent. `failed`: it was not. `unknown`: nobody knows',
    }),
    reason: Reason.nullable().meta({
      description: 'Why it waits, was not sent, or is unknown; null otherwise',
    }),
    sent: z.enum(['reply', 'question', 'message']).nullable().meta({
      description:
        'What was sent last: the public reply, a question of the follow gate, or `dmMessage`. Texts are not kept. Null if nothing was sent, or if it is being sent',
    }),
    sentAt: Timestamp.nullable().meta({ description: 'When, at the latest' }),
  })
  .meta({ id: 'CommentAutomationConversation' });
export type ConversationView = z.infer<typeof ConversationView>;

/**
 * @param cause the comment or message; absent if it is not kept any more
 * @param isByMessage true if messages start the automation
 */
export function toConversationView(
  action: AutomationAction,
  cause: InboundComment | InboundMessage | undefined,
  isByMessage = false,
): ConversationView {
  const isReply = action.kind === 'automationReply';
  return {
    kind: isReply ? 'public_reply' : 'private_message',
    commentId: isByMessage ? null : action.commentId,
    messageId: isByMessage ? action.commentId : null,
    personId: (isReply ? cause?.personId : action.personId) ?? null,
    username: cause?.kind === 'inboundComment' ? cause.username : null,
    text: cause?.text ?? null,
    commentedAt: action.createdAt,
    state: stateOf(action),
    reason: reasonOf(action),
    ...sentOf(action),
  };
}

function stateOf(action: AutomationAction): ConversationState {
  const { state } = action;
  if (state === 'intended') return 'waiting';
  const isAsked = state === 'done' && action.kind === 'automationMessage' && action.stage === 'gated';
  return isAsked ? 'awaiting_answer' : state;
}

function reasonOf(action: AutomationAction): ConversationView['reason'] {
  const code = action.errorCode ?? waitReasonOf(action);
  if (code === undefined) return null;
  const { message, whoCanAct } = failureCodes[code];
  return { code, message, whoCanAct };
}

function sentOf(action: AutomationAction): Pick<ConversationView, 'sent' | 'sentAt'> {
  const lastEnd = action.calls?.findLast(({ outcome }) => outcome === 'live')?.endedAt ?? null;
  if (action.kind === 'automationReply') {
    const isSent = action.state === 'done';
    return { sent: isSent ? 'reply' : null, sentAt: isSent ? lastEnd : null };
  }
  const { messageId, sentAt, stage } = action;
  if (messageId === undefined) return { sent: null, sentAt: null };
  return { sent: stage === 'closed' ? 'message' : 'question', sentAt: sentAt ?? lastEnd };
}
