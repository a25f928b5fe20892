import { rotatePanelKey } from '../../lib/people/keys.ts';
import { rotateKeyOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `POST /panel/keys/{id}/rotate` */
export const build = apiHandler(rotateKeyOperation, {}, async ({ context, path, body }) => ({
  status: 200,
  body: await rotatePanelKey(context, { keyId: path.id, ...body }),
}));
