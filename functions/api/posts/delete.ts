import { removePostOperation } from '../../../lib/posts/operations.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `DELETE /v1/posts/{id}` */
export const build = apiHandler(removePostOperation, {}, async ({ context, path }) => {
  await removePost(context, path.id);
  return { status: 200, body: { ok: true } };
});
