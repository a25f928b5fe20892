import {
  account,
  automation,
  expiredAccount,
  failedPost,
  failedTarget,
  ids,
  listedPost,
  listedPublishedPost,
  publishedTarget,
} from './things.ts';

const comment = { id: '18029384756102938', text: 'Recipe please!', username: 'ann.bakes' } as const;

const ofTarget = {
  postId: listedPost.id,
  externalId: listedPost.externalId,
  metadata: listedPost.metadata,
} as const;

/** An example of the data of each webhook event. */
export const eventExamples = {
  'post.scheduled': { post: listedPost },
  'post.published': { post: listedPublishedPost },
  'post.partial': {
    post: { ...listedPublishedPost, status: 'partial', platforms: [publishedTarget, failedTarget] },
  },
  'post.target.published': { ...ofTarget, target: publishedTarget },
  'post.target.failed': { ...ofTarget, target: failedTarget },
  'post.failed': { post: failedPost },
  'account.expiring': { account },
  'account.expired': { account: expiredAccount },
  'account.connected': { account },
  'account.disconnected': { account: { ...account, isActive: false } },
  'comment.received': {
    accountId: ids.instagram,
    platformPostId: automation.platformPostId,
    commentId: comment.id,
    text: comment.text,
    username: comment.username,
    at: '2026-02-06T09:12:40.000Z',
    automationId: ids.automation,
  },
  'dm.received': {
    accountId: ids.instagram,
    senderId: '6483920175628394',
    text: 'Do you have rolls left?',
    at: '2026-02-06T09:15:02.118Z',
  },
  'webhook.test': { webhookId: ids.webhook },
} as const;
