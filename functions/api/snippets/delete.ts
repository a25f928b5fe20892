import { removeSnippet } from '../../../lib/snippets/manage.ts';
import { removeSnippetOperation } from '../../../lib/snippets/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `DELETE /v1/snippets/{id}` */
export const build = apiHandler(removeSnippetOperation, {}, async ({ context, path }) => {
  await removeSnippet(context, path.id);
  return { status: 200, body: { ok: true } };
});
