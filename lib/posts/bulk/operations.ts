import * as z from 'zod';
import { operation } from '../../api-contract/operation.ts';
import { creationRights } from '../request/operations.ts';
import { BulkReply, CreatePostsBody } from './schemas.ts';

export const createPostsOperation = operation({
  id: 'createPosts',
  handler: 'posts/bulk',
  verb: 'post.create',
  method: 'POST',
  path: '/v1/posts/bulk',
  summary: 'Create up to 100 posts',
  description: [
    'Creates each post as `POST /v1/posts` does, and each by itself: a post that is wrong or fails stops no other, even if it is malformed. The reply is 200 with a result for each post, so read each `status`. The request as a whole is refused only if `posts` is not a list of 1 to 100 posts.',
    'To repeat a request safely, give every post an `idempotencyKey`, or the request an `Idempotency-Key`: the repeated request creates what is missing and nothing twice. If two posts have the same key, the second is a replay of the first.',
    'Posts with `auto` take slots in the order of the request, after the posts with times of their own.',
    'No post is begun after 24 seconds. The rest have the status `failed` and the code `not_started`: send the request again. The request may have 6 MB.',
  ].join('\n\n'),
  headers: z.object({
    'Idempotency-Key': z.string().min(1).max(255).optional().meta({
      description: 'The post at index `i` has the key `<this>:<i>` if it has none of its own',
    }),
  }),
  body: CreatePostsBody,
  describes: BulkReply,
  replies: { 200: { description: 'A result for each post', body: BulkReply } },
  rights: creationRights,
  settings: ['MEDIA_BASE_URL', 'PLATFORM_FEATURES', 'DAILY_LIMITS', 'PLAIN_HTTP_HOSTS'],
  timeoutSeconds: 29,
});
