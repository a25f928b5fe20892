import * as z from 'zod';
import { findOwnAccount } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import type { MessagingLimits } from '../platforms/contract/messaging.ts';
import { composeMessage, composeQuestion, composeReply } from './actions/compose.ts';
import { isStartedByMessages } from './answered-posts.ts';
import { matchesComment, matchingKeyword } from './matching/match-comment.ts';
import { withoutOwnMention } from './matching/own-mention.ts';
import { getAutomation } from './read.ts';

/** The effects that a comment would have. */
export const AutomationTrial = z
  .object({
    matches: z.boolean(),
    keyword: z.string().nullable().meta({
      description:
        'The first keyword that the text matches; null if none does, or if the automation has none',
    }),
    isActive: z
      .boolean()
      .meta({ description: 'True if the automation is on; otherwise a comment does not trigger it' }),
    commentReply: z.string().nullable().meta({
      description: 'The public reply, with its tracked links; null if the text does not match',
    }),
    dmMessage: z.string().nullable().meta({
      description:
        "The first private message: the follow gate's question, if there is one; null if the text does not match. For an automation that messages start, the message to a follower",
    }),
  })
  .meta({ id: 'CommentAutomationTrial' });
export type AutomationTrial = z.infer<typeof AutomationTrial>;

/**
 * Returns the effects that a comment with this text would have. Uses the matcher and the composer of the worker; sends and stores
 * nothing.
 *
 * @throws HeraldError `not_found` as {@link getAutomation}
 */
export async function tryAutomation(
  context: Context & { readonly linkBaseUrl: string; readonly limits: MessagingLimits },
  automationId: string,
  text: string,
): Promise<AutomationTrial> {
  const automation = await getAutomation(context, automationId);
  const account = await findOwnAccount(context, automation.accountId);
  const said = withoutOwnMention(text, account?.username ?? null);
  const matches = matchesComment(automation, said);
  const { isActive, commentReply, dmMessage, followGate } = automation;
  const composing = { ...context, withoutButtons: false };
  // Who has written is not asked for a tap first: see `newConversationByMessage`.
  const asks = followGate !== null && !isStartedByMessages(automation);
  const message = asks
    ? composeQuestion({ ...automation, followGate }, 1, false, composing)
    : composeMessage(automation, composing);
  const hasMessage = matches && dmMessage !== null;
  const hasReply = matches && commentReply !== null;
  return {
    matches,
    keyword: matchingKeyword(automation, said) ?? null,
    isActive,
    commentReply: hasReply ? composeReply(automation, context.linkBaseUrl) : null,
    dmMessage: hasMessage ? message.text : null,
  };
}
