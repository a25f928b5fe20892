import { editTag } from '../../../lib/tags/manage.ts';
import { editTagOperation } from '../../../lib/tags/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `PATCH /v1/tags/{name}` */
export const build = apiHandler(editTagOperation, {}, async ({ context, path, body }) => ({
  status: 200,
  body: { ...(await editTag(context, path.name, body)) },
}));
