import { listBest } from '../../../lib/insights/list.ts';
import { listBestPostsOperation } from '../../../lib/insights/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/metrics/best` */
export const build = apiHandler(listBestPostsOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listBest(context, query),
}));
