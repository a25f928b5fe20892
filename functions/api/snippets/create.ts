import { createSnippet } from '../../../lib/snippets/manage.ts';
import { createSnippetOperation } from '../../../lib/snippets/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `POST /v1/snippets` */
export const build = apiHandler(createSnippetOperation, {}, async ({ context, body }) => ({
  status: 201,
  body: { snippet: await createSnippet(context, body) },
}));
