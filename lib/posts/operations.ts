import * as z from 'zod';
import { CursorQuery, Id, limitQuery, NextCursor, PathId } from '../http/fields.ts';
import { operation } from '../http/operation.ts';
import { Platform } from '../platforms/names.ts';
import { CreatePostBody, EditPostBody, PostView } from './schemas.ts';
import { PostStatus } from './state.ts';
import { TimelineEntryView } from './timeline.ts';

const slotContention = 'With `auto`: too many posts are asking for a slot on these channels at once';

const PostReply = z.object({ post: PostView });

export const createPostOperation = operation({
  id: 'posts-create',
  method: 'POST',
  path: '/v1/posts',
  summary: 'Create a post: a draft, or scheduled',
  description:
    'Without `scheduledFor` (and without `publishNow`) the post is a draft. With `auto` it is `scheduled` for the slot that the rhythms of its channels give; where none is free within 90 days the answer is 400. A repeated `idempotencyKey` creates nothing: the answer is 200 with the post that exists.',
  access: 'key',
  headers: z.object({
    'Idempotency-Key': z.string().min(1).max(255).optional().meta({
      description: 'Serves where the body has no `idempotencyKey`',
    }),
  }),
  body: CreatePostBody,
  replies: {
    201: { description: 'Created', body: PostReply },
    200: {
      description: 'This idempotency key was used before: the post it created',
      body: PostReply.extend({ existingPost: PostView }),
    },
  },
  refusals: { 503: slotContention },
});

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

export const validatePostOperation = operation({
  id: 'posts-validate',
  method: 'POST',
  path: '/v1/posts/validate',
  summary: "Check a post against every platform's rules; nothing is stored",
  access: 'key',
  body: CreatePostBody,
  replies: {
    200: {
      description: 'All problems at once',
      body: z.object({
        valid: z.boolean(),
        problems: z.array(
          z.object({
            accountId: z.string().nullable(),
            platform: Platform.nullable(),
            field: z.string(),
            message: z.string(),
          }),
        ),
      }),
    },
  },
});

export const editPostOperation = operation({
  id: 'posts-edit',
  method: 'PATCH',
  path: '/v1/posts/{id}',
  summary: 'Change a draft or a scheduled post',
  description: 'Honoured until the call that makes a destination live. What is not named stays.',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  body: EditPostBody,
  replies: { 200: { description: 'The post as it is now', body: PostReply } },
  refusals: {
    404: 'No such post in this workspace',
    409: 'A destination is being published or is settled',
    503: slotContention,
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
