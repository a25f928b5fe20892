import { listSnippets } from '../../../lib/snippets/manage.ts';
import { listSnippetsOperation } from '../../../lib/snippets/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/snippets` */
export const build = apiHandler(listSnippetsOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listSnippets(context, query),
}));
