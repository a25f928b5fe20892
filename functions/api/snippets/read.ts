import { readSnippet } from '../../../lib/snippets/manage.ts';
import { readSnippetOperation } from '../../../lib/snippets/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/snippets/{id}` */
export const build = apiHandler(readSnippetOperation, {}, async ({ context, path }) => ({
  status: 200,
  body: { snippet: await readSnippet(context, path.id) },
}));
