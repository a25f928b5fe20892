import { listSharedSlots, listSharedSlotsOperation } from '../../../lib/zernio/shared-slots.ts';
import { apiHandler } from '../../middleware/api.ts';

/** The next slots of Zernio's queue. */
export const build = apiHandler(listSharedSlotsOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: { slots: await listSharedSlots(context, query.accountIds, query.count) },
}));
