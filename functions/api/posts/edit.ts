import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { editPostOperation } from '../../../lib/posts/request/operations.ts';
import { toPostView } from '../../../lib/posts/view.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `PATCH /v1/posts/{id}` */
export const build = apiHandler(editPostOperation, { mediaBaseUrl }, async ({ context, path, body }) => {
  const { post, targets } = await editPost({ ...context, rulesFor }, path.id, body);
  return { status: 200, body: { post: toPostView(post, context.mediaBaseUrl, targets) } };
});
