import { retryPostOperation } from '../../../lib/posts/operations.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { toPostView } from '../../../lib/posts/view.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `POST /v1/posts/{id}/retry` */
export const handler = apiHandler(retryPostOperation, async ({ context, path }) => {
  const { post, targets } = await retryPost(context, path.id);
  return { status: 200, body: { post: toPostView(post, MEDIA_BASE_URL, targets) } };
});
