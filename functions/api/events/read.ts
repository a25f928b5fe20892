import { readEventOperation } from '../../../lib/webhooks/feed/operations.ts';
import { readEvent } from '../../../lib/webhooks/feed/read.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/events/{id}` */
export const build = apiHandler(readEventOperation, {}, async ({ context, path }) => ({
  status: 200,
  body: { event: await readEvent(context, path.id) },
}));
