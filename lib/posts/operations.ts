import * as z from 'zod';
import { PathId } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { ById, deletedReply, pageQuery, pageReply } from '../api-contract/shapes.ts';
import { indexes } from '../table/schema.ts';
import { ListPostsQuery } from './list/schemas.ts';
import { TimelineEntryView } from './timeline.ts';
import { ResolveTargetBody } from './verdict.ts';
import { DryRun, ListedPostView, orDryRun, PostReply, StoredPostReply } from './view/schemas.ts';

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
  rights: { reads: { Query: ['POST#'], GetItem: ['WORKSPACE#'] } },
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
    'All filters apply together. A page may be shorter than `limit`, or empty; `nextCursor` says whether more follow. With `search`, `accountId`, `accountExternalId`, `externalId` or `atRisk`, and neither a time range nor `sort=scheduledFor`, a page holds at most 100. With `externalId` the list has a post immediately after it was created. `from` and `to` choose posts by their `scheduledFor`, for a calendar. Posts that the service no longer keeps are left out.',
  query: ListPostsQuery,
  replies: pageReply('posts', ListedPostView, 'A page of posts'),
  rights: {
    reads: {
      GetItem: ['WORKSPACE#'],
      BatchGetItem: ['POST#', 'SEARCH#'],
      Query: ['EXTERNAL#', 'RISKS#', 'SEARCH#', 'WORDS#', 'WORKSPACE#'],
    },
    indexes: [
      indexes.postsNewestFirst.indexName,
      indexes.postsByTime.indexName,
      indexes.postsByStatus.indexName,
      indexes.targetsByAccount.indexName,
    ],
  },
  settings: ['MEDIA_BASE_URL'],
});

export const listMediaPostsOperation = operation({
  id: 'listMediaPosts',
  handler: 'media/posts',
  verb: 'post.read',
  method: 'GET',
  path: '/v1/media/{id}/posts',
  summary: 'List the posts that use a file, newest first',
  description:
    'A post stays in the list when a change takes the file out of it. A page holds at most 100 posts and may be shorter than `limit`, or empty; `nextCursor` says whether more follow.',
  pathParameters: ById,
  query: pageQuery({}),
  replies: pageReply('posts', ListedPostView, 'A page of posts'),
  refusals: { 404: 'No such file in this workspace that the key may see' },
  rights: { reads: { GetItem: ['MEDIA#'], Query: ['USES#'], BatchGetItem: ['POST#'] } },
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

const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'A request about this post whose key was used within the last 30 days changes nothing: the reply is the post',
  }),
});

const RetryPostBody = z.object({ dryRun: DryRun.optional() }).meta({ id: 'RetryPost' });

export const retryPostOperation = operation({
  id: 'retryPost',
  handler: 'posts/retry',
  verb: 'post.retry',
  method: 'POST',
  path: '/v1/posts/{id}/retry',
  summary: 'Retry the failed destinations',
  description:
    'If the outcome of a destination is unknown, its error says what to check at the platform. Check it before you retry: the retry asks the platform once more, and if it still shows no post, publishes again. If you have said that it is not live, the retry does not ask.',
  pathParameters: ById,
  headers: idempotencyHeader,
  body: RetryPostBody.default({}),
  describes: PostReply,
  replies: { 200: { description: 'The post after the change', body: orDryRun(StoredPostReply) } },
  refusals: {
    404: 'No such post in this workspace that the key may see',
    409: 'No destination has failed, one was tried 200 times, or the idempotency key was used for another request about the post',
  },
  rights: {
    reads: { GetItem: ['POST#', 'CALENDAR#', 'WORKSPACE#'], Query: ['POST#'] },
    writes: { PutItem: ['CALENDAR#'], UpdateItem: ['POST#', 'EXTERNAL#'], DeleteItem: ['CALENDAR#'] },
  },
  settings: ['MEDIA_BASE_URL'],
});

const UnpublishPostBody = z
  .object({
    accountIds: z.array(z.uuid()).min(1).max(50).optional().meta({
      description: 'The destinations to take down. Default: all that are live',
    }),
  })
  .meta({ id: 'UnpublishPost' });
export type UnpublishPostBody = z.infer<typeof UnpublishPostBody>;

export const unpublishPostOperation = operation({
  id: 'unpublishPost',
  handler: 'posts/unpublish',
  verb: 'post.unpublish',
  method: 'POST',
  path: '/v1/posts/{id}/unpublish',
  summary: 'Take live destinations down',
  description:
    'Asks for the deletion of the posts at their platforms, of all named destinations or of none. Herald then deletes them, usually within seconds, and tries again for six hours at most: `removal` of each destination says how far it is, and `removedAt` when it was done. Its `status` stays `published`. Nothing of it is published or sent any more, neither by a retry, nor as a first comment, nor by the steps of the chain once all live destinations of the post are taken down. A repeated request changes nothing; after a failure, it tries again. Of a thread, all parts are deleted.',
  pathParameters: ById,
  body: UnpublishPostBody.default({}),
  replies: { 202: { description: 'The post after the request', body: PostReply } },
  refusals: {
    404: 'No such post in this workspace that the key may see',
    409: 'A destination is not live, is still being published, or has a part of unknown outcome; or only a person can delete its post: then `by` is `person`, and `permalink` is its address',
  },
  rights: {
    reads: { Query: ['POST#'], GetItem: ['WORKSPACE#'], BatchGetItem: ['WORKSPACE#'] },
    writes: { UpdateItem: ['POST#'] },
  },
  settings: ['MEDIA_BASE_URL', 'PLATFORM_FEATURES'],
});

export const resolveTargetOperation = operation({
  id: 'resolveTarget',
  handler: 'posts/resolve',
  verb: 'post.resolve',
  method: 'POST',
  path: '/v1/posts/{id}/targets/{accountId}/resolve',
  summary: 'Say whether a destination of unknown outcome is live',
  description:
    'For a destination that has failed with `outcome_unknown`, after somebody has looked at the platform. `live`: it becomes `published`; what would be added to it afterwards, such as a first comment, is not. `not live`: it stays `failed`, with the code `not_live`, and a retry publishes it again without asking the platform. The same verdict twice changes nothing; another one is refused.',
  pathParameters: z.object({ id: PathId, accountId: PathId }),
  headers: idempotencyHeader,
  body: ResolveTargetBody,
  replies: { 200: { description: 'The post after the change', body: PostReply } },
  refusals: {
    404: 'No such post in this workspace that the key may see, or no such destination',
    409: 'The outcome is not unknown; a person has said something else; the request to publish may still take effect; another destination has the `platformPostId`; or the idempotency key was used for another request about the post',
  },
  rights: {
    reads: { GetItem: ['LIVE#', 'WORKSPACE#'], Query: ['POST#'] },
    writes: { PutItem: ['CALENDAR#'], UpdateItem: ['POST#', 'EXTERNAL#', 'LIVE#'] },
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
