import { removeAutomation } from '../../../lib/automations/edit.ts';
import { removeAutomationOperation } from '../../../lib/automations/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `DELETE /v1/comment-automations/{id}` */
export const build = apiHandler(removeAutomationOperation, {}, async ({ context, path }) => {
  await removeAutomation(context, path.id);
  return { status: 200, body: { ok: true } };
});
