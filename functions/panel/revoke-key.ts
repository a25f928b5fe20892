import { revokePanelKey } from '../../lib/people/keys.ts';
import { revokeKeyOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `DELETE /panel/keys/{id}` */
export const build = apiHandler(revokeKeyOperation, {}, async ({ context, path }) => {
  await revokePanelKey(context, path.id);
  return { status: 204, body: undefined };
});
