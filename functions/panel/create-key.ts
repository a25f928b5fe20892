import { createPanelKey } from '../../lib/people/keys.ts';
import { createKeyOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `POST /panel/keys` */
export const build = apiHandler(createKeyOperation, {}, async ({ context, body }) => ({
  status: 201,
  body: await createPanelKey(context, body),
}));
