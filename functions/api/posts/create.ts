import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { createPostOperation } from '../../../lib/posts/request/operations.ts';
import { toPostView } from '../../../lib/posts/view.ts';
import { environment } from '../../environment.ts';
import { logger } from '../../logger.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `POST /v1/posts` */
export const handler = apiHandler(createPostOperation, async ({ context, body, headers, rawBody }) => {
  const created = await createPost({ ...context, mediaBaseUrl: MEDIA_BASE_URL, rulesFor }, body, {
    idempotencyKey: headers['idempotency-key'],
    requestId: headers['x-request-id'],
    rawBody,
  });
  logger.info('a post was created', { postId: created.post.id, replayed: created.replayed });
  const post = toPostView(created.post, MEDIA_BASE_URL, created.targets);
  return created.replayed
    ? { status: 200, body: { existingPost: post, post } }
    : { status: 201, body: { post } };
});
