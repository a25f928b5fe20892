import { listTags } from '../../../lib/tags/manage.ts';
import { listTagsOperation } from '../../../lib/tags/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/tags` */
export const build = apiHandler(listTagsOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listTags(context, query),
}));
