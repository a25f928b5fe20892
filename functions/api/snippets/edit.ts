import { editSnippet } from '../../../lib/snippets/manage.ts';
import { editSnippetOperation } from '../../../lib/snippets/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `PATCH /v1/snippets/{id}` */
export const build = apiHandler(editSnippetOperation, {}, async ({ context, path, body }) => ({
  status: 200,
  body: { snippet: await editSnippet(context, path.id, body) },
}));
