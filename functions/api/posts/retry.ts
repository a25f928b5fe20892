import { retryPostOperation } from '../../../lib/posts/operations.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `POST /v1/posts/{id}/retry` */
export const build = apiHandler(retryPostOperation, { mediaBaseUrl }, async ({ context, path, headers }) => {
  const { post, targets } = await retryPost(context, path.id, { idempotencyKey: headers['idempotency-key'] });
  return { status: 200, body: { post: toPostView(post, context.mediaBaseUrl, targets) } };
});
