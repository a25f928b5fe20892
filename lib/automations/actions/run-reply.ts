import { dayMs } from '../../kernel/clock.ts';
import type { MessageContent } from '../../platforms/contract/messaging.ts';
import type { ReplyAction } from '../schemas.ts';
import { type Deed, perform, reconcile } from './at-most-once-call.ts';
import { composeReply } from './compose.ts';
import { commit, commitFailed, ended, problemOf, type Work } from './transitions.ts';

/** Later than that, nobody waits for an answer any more. */
const latestMs = 7 * dayMs;

/** The public reply to a comment: one step of it. */
export async function actReply(work: Work<ReplyAction>): Promise<ReplyAction> {
  const { ports, action, rule } = work;
  if (action.state === 'intended') {
    const content = JSON.parse(action.content ?? '{}') as MessageContent;
    return reconcile(work, replyDeed(work, content), []);
  }
  const problem = problemOf(work);
  if (problem !== undefined || !rule) return commitFailed(work, problem ?? 'the automation is gone');
  if (rule.commentReply === null) return commitFailed(work, 'not sent: the automation replies no more');
  if (ports.now() > Date.parse(action.createdAt) + latestMs) {
    return commitFailed(work, 'not sent: the comment is more than seven days old');
  }
  return perform(work, replyDeed(work, { text: composeReply(rule, ports.publicBaseUrl) }));
}

function replyDeed(
  { action: { commentId, parentId } }: Work<ReplyAction>,
  content: MessageContent,
): Deed<ReplyAction, { readonly replyId: string }> {
  const comment = { commentId, parentId };
  return {
    content,
    send: (platform, { content: { text }, ...call }, tools) =>
      platform.replyPublicly({ ...call, comment, text }, tools),
    find: (platform, { content: { text }, ...call }, tools) =>
      platform.findReply({ ...call, comment, text }, tools),
    succeed: (work, { replyId }) =>
      commit(work, { ...ended, state: 'done', replyId, error: null }, { counts: { replies: 1 } }),
    mayRepeat: true,
  };
}
