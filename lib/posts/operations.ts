import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { ById, deletedReply, pageReply } from '../api-contract/shapes.ts';
import { indexes } from '../table/schema.ts';
import { ListPostsQuery } from './list/schemas.ts';
import { TimelineEntryView } from './timeline.ts';
import { ListedPostView, PostReply } from './view/schemas.ts';

export const readPostOperation = operation({
  id: 'getPost',
  handler: 'posts/read',
  verb: 'post.read',
  method: 'GET',
  path: '/v1/posts/{id}',
  summary: 'Read a post with the status of each destination',
  description:
    "The post's own `status` follows from those of its destinations. If the operator of the service has set a time for which posts are kept, a post is gone that long after all of its destinations went live or failed.",
  pathParameters: ById,
  replies: { 200: { description: 'The post', body: PostReply } },
  refusals: { 404: 'No such post in this workspace that the key may see' },
  rights: { reads: { Query: ['POST#'] } },
  settings: ['MEDIA_BASE_URL'],
});

export const listPostsOperation = operation({
  id: 'listPosts',
  handler: 'posts/list',
  verb: 'post.read',
  method: 'GET',
  path: '/v1/posts',
  summary: 'List posts, newest first or by time',
  description:
    'All filters apply together. A page may be shorter than `limit`, or empty; `nextCursor` says whether more follow. With `accountId` or `externalId`, and neither a time range nor `sort=scheduledFor`, a page holds at most 100. With `externalId` the list has a post immediately after it was created. `from` and `to` choose posts by their `scheduledFor`, for a calendar. Posts that the service no longer keeps are left out.',
  query: ListPostsQuery,
  replies: pageReply('posts', ListedPostView, 'A page of posts'),
  rights: {
    reads: { BatchGetItem: ['POST#'], Query: ['EXTERNAL#'] },
    indexes: [
      indexes.postsNewestFirst.indexName,
      indexes.postsByTime.indexName,
      indexes.postsByStatus.indexName,
      indexes.targetsByAccount.indexName,
    ],
  },
  settings: ['MEDIA_BASE_URL'],
});

export const removePostOperation = operation({
  id: 'deletePost',
  handler: 'posts/delete',
  verb: 'post.delete',
  method: 'DELETE',
  path: '/v1/posts/{id}',
  summary: 'Delete a draft, a scheduled or a failed post',
  description: 'Also removes its schedule. Its idempotency key can be used again.',
  pathParameters: ById,
  replies: deletedReply,
  refusals: {
    404: 'No such post in this workspace that the key may see',
    409: 'The post is being published, or a destination is live',
  },
  rights: {
    reads: { Query: ['POST#'] },
    writes: { DeleteItem: ['POST#', 'CALENDAR#', 'IDEMPOTENCY#', 'EXTERNAL#'] },
  },
});

export const retryPostOperation = operation({
  id: 'retryPost',
  handler: 'posts/retry',
  verb: 'post.retry',
  method: 'POST',
  path: '/v1/posts/{id}/retry',
  summary: 'Retry the failed destinations',
  description:
    'If the outcome of a destination is unknown, its error says what to check at the platform. Check it before you retry: the retry asks the platform once more, and if it still shows no post, publishes again.',
  pathParameters: ById,
  replies: { 200: { description: 'The post after the change', body: PostReply } },
  refusals: {
    404: 'No such post in this workspace that the key may see',
    409: 'No destination has failed, or one was tried 200 times',
  },
  rights: {
    reads: { GetItem: ['POST#', 'CALENDAR#'], Query: ['POST#'] },
    writes: { PutItem: ['CALENDAR#'], UpdateItem: ['POST#', 'EXTERNAL#'], DeleteItem: ['CALENDAR#'] },
  },
  settings: ['MEDIA_BASE_URL'],
});

export const readTimelineOperation = operation({
  id: 'getPostTimeline',
  handler: 'posts/timeline',
  verb: 'post.read',
  method: 'GET',
  path: '/v1/posts/{id}/timeline',
  summary: 'Read what happened to a post, step by step',
  description: 'Contains every attempt at each destination, with the calls made to the platform.',
  pathParameters: ById,
  replies: {
    200: { description: 'Oldest first', body: z.object({ timeline: z.array(TimelineEntryView) }) },
  },
  refusals: { 404: 'No such post in this workspace that the key may see' },
  rights: { reads: { Query: ['POST#'] } },
});
