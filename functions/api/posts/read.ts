import { readPostOperation } from '../../../lib/posts/operations.ts';
import { readPost } from '../../../lib/posts/read.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/posts/{id}` */
export const build = apiHandler(readPostOperation, { mediaBaseUrl }, async ({ context, path }) => {
  const { post, targets } = await readPost(context, path.id);
  return {
    status: 200,
    body: { post: toPostView(post, context.mediaBaseUrl, targets, await readTagsOf(context, [post])) },
  };
});
