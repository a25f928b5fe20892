import type { MessageContent } from '../../platforms/contract/messaging.ts';
import type { ReplyAction } from '../schemas.ts';
import { type AtMostOnceCall, execute, reconcile } from './at-most-once-call.ts';
import { composeReply } from './compose.ts';
import { automationDeleted, missedWindow, noPlatform, obstacleOf, windowEndOf } from './obstacles.ts';
import { ended } from './store.ts';
import { commit, commitFailed, waitFor } from './transitions.ts';
import type { Work } from './work.ts';

/** Performs one step of the public reply to a comment. */
export async function runReply(work: Work<ReplyAction>): Promise<ReplyAction> {
  const { ports, action, automation } = work;
  if (action.state === 'intended') {
    const content = JSON.parse(action.content ?? '{}') as MessageContent;
    return reconcile(work, replyCall(work, content));
  }
  if (!automation) return commitFailed(work, automationDeleted);
  if (automation.commentReply === null) return commitFailed(work, replyRemoved);
  const endMs = windowEndOf(work);
  if (endMs === undefined) return commitFailed(work, noPlatform(work));
  if (ports.now() >= endMs) return commitFailed(work, missedWindow(work, commentTooOld));
  const obstacle = obstacleOf(work);
  if (obstacle) return waitFor(work, obstacle.code, endMs);
  return execute(work, replyCall(work, { text: composeReply(automation, ports.linkBaseUrl) }));
}

const replyRemoved = {
  code: 'text_removed',
  text: 'not sent: the automation has no commentReply any more',
} as const;

const commentTooOld = {
  code: 'comment_too_old',
  text: 'not sent: the comment is more than seven days old',
} as const;

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
