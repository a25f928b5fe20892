import { dayMs } from '../../kernel/clock.ts';
import type { MessageContent } from '../../platforms/contract/messaging.ts';
import type { ReplyAction } from '../schemas.ts';
import { type AtMostOnceCall, execute, reconcile } from './at-most-once-call.ts';
import { composeReply } from './compose.ts';
import { ended } from './store.ts';
import { commit, commitFailed, problemOf, type Work, waitForPause } from './transitions.ts';

/** After this time nobody expects a reply. */
const latestMs = 7 * dayMs;

/** Works one step of the public reply to a comment. */
export async function runReply(work: Work<ReplyAction>): Promise<ReplyAction> {
  const { ports, action, automation } = work;
  if (action.state === 'intended') {
    const content = JSON.parse(action.content ?? '{}') as MessageContent;
    return reconcile(work, replyCall(work, content));
  }
  const problem = problemOf(work);
  if (problem !== undefined || !automation)
    return commitFailed(work, problem ?? 'not sent: the automation was deleted');
  if (automation.commentReply === null)
    return commitFailed(work, 'not sent: the automation has no commentReply any more');
  if (ports.now() > Date.parse(action.createdAt) + latestMs) {
    return commitFailed(work, 'not sent: the comment is more than seven days old');
  }
  if (work.pause) return waitForPause(work);
  return execute(work, replyCall(work, { text: composeReply(automation, ports.publicBaseUrl) }));
}

function replyCall(
  { action: { commentId, parentId } }: Work<ReplyAction>,
  content: MessageContent,
): AtMostOnceCall<ReplyAction, { readonly replyId: string }> {
  const comment = { commentId, parentId };
  return {
    kind: 'public reply',
    content,
    send: (platform, { content: { text }, ...call }, tools) =>
      platform.replyPublicly({ ...call, comment, text }, tools),
    find: (platform, { content: { text }, ...call }, tools) =>
      platform.findReply({ ...call, comment, text }, tools),
    idOf: ({ replyId }) => replyId,
    succeed: (work, { replyId }, changes, writes) =>
      commit(
        work,
        { ...changes, ...ended, state: 'done', replyId, error: null },
        { counts: { replies: 1 }, writes },
      ),
  };
}
