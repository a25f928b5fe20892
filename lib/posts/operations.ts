import * as z from 'zod';
import { CursorQuery, Id, limitQuery, NextCursor, PathId } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { PostStatus } from '../targets/state.ts';
import { PostReply, PostView } from './schemas.ts';
import { TimelineEntryView } from './timeline.ts';

export const readPostOperation = operation({
  id: 'posts-read',
  method: 'GET',
  path: '/v1/posts/{id}',
  summary: 'Read a post with the status of each destination',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  replies: { 200: { description: 'The post', body: PostReply } },
  refusals: { 404: 'No such post in this workspace' },
});

export const listPostsOperation = operation({
  id: 'posts-list',
  method: 'GET',
  path: '/v1/posts',
  summary: 'List posts, newest first',
  description:
    'A page may be shorter than `limit`; `nextCursor` says whether more follow. With `accountId` a page holds at most 100.',
  access: 'key',
  query: z.object({
    status: PostStatus.optional(),
    accountId: Id.optional(),
    limit: limitQuery(500).default(50),
    cursor: CursorQuery,
  }),
  replies: {
    200: {
      description: 'A page of posts',
      body: z.object({ posts: z.array(PostView), nextCursor: NextCursor }),
    },
  },
});

export const removePostOperation = operation({
  id: 'posts-delete',
  method: 'DELETE',
  path: '/v1/posts/{id}',
  summary: 'Delete a draft, a scheduled or a failed post',
  description: 'Its schedule is gone with it, and its idempotency key may be used again.',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  replies: { 200: { description: 'Deleted', body: z.object({ ok: z.literal(true) }) } },
  refusals: {
    404: 'No such post in this workspace',
    409: 'It is being published, or something of it is live',
  },
});

export const retryPostOperation = operation({
  id: 'posts-retry',
  method: 'POST',
  path: '/v1/posts/{id}/retry',
  summary: 'Try the failed destinations again',
  description: 'One whose outcome was unknown is first asked for at the platform.',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  replies: { 200: { description: 'The post as it is now', body: PostReply } },
  refusals: { 404: 'No such post in this workspace', 409: 'No destination has failed' },
});

export const readTimelineOperation = operation({
  id: 'posts-timeline',
  method: 'GET',
  path: '/v1/posts/{id}/timeline',
  summary: 'Read what happened to a post, step by step',
  description: 'Every attempt at each destination, with the calls that were made to the platform.',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  replies: {
    200: { description: 'Oldest first', body: z.object({ timeline: z.array(TimelineEntryView) }) },
  },
  refusals: { 404: 'No such post in this workspace' },
});
