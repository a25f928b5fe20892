import { readPunctualityOperation } from '../../../lib/punctuality/operations.ts';
import { readPunctuality } from '../../../lib/punctuality/read.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/workspace/punctuality` */
export const build = apiHandler(readPunctualityOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: { punctuality: await readPunctuality(context, query.days) },
}));
