import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { editPostOperation } from '../../../lib/posts/request/operations.ts';
import { toPostView } from '../../../lib/posts/view.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `PATCH /v1/posts/{id}` */
export const handler = apiHandler(editPostOperation, async ({ context, path, body }) => {
  const { post, targets } = await editPost(
    { ...context, mediaBaseUrl: MEDIA_BASE_URL, rulesFor },
    path.id,
    body,
  );
  return { status: 200, body: { post: toPostView(post, MEDIA_BASE_URL, targets) } };
});
