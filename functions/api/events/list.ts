import { listEventsOperation } from '../../../lib/webhooks/feed/operations.ts';
import { listEvents } from '../../../lib/webhooks/feed/read.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/events` */
export const build = apiHandler(listEventsOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listEvents(context, query),
}));
