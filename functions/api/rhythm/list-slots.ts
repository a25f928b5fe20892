import { listFreeSlots } from '../../../lib/rhythm/list-slots.ts';
import { listSlotsOperation } from '../../../lib/rhythm/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/accounts/{id}/slots` */
export const build = apiHandler(listSlotsOperation, {}, async ({ context, path, query }) => ({
  status: 200,
  body: { ...(await listFreeSlots(context, path.id, query.count)) },
}));
