import { listPanelKeys } from '../../lib/people/keys.ts';
import { listKeysOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `GET /panel/keys` */
export const build = apiHandler(listKeysOperation, {}, async ({ context }) => ({
  status: 200,
  body: { keys: await listPanelKeys(context) },
}));
