import { removeTag } from '../../../lib/tags/manage.ts';
import { removeTagOperation } from '../../../lib/tags/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `DELETE /v1/tags/{name}` */
export const build = apiHandler(removeTagOperation, {}, async ({ context, path }) => {
  await removeTag(context, path.name);
  return { status: 200, body: { ok: true } };
});
