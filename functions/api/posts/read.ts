import { readPostOperation } from '../../../lib/posts/operations.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { toPostView } from '../../../lib/posts/view.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `GET /v1/posts/{id}` */
export const handler = apiHandler(readPostOperation, async ({ context, path }) => {
  const { post, targets } = await readPost(context, path.id);
  return { status: 200, body: { post: toPostView(post, MEDIA_BASE_URL, targets) } };
});
