import { removeWebhook } from '../../../lib/webhooks/endpoints/edit.ts';
import { removeWebhookOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `DELETE /v1/webhooks/{id}` */
export const build = apiHandler(removeWebhookOperation, {}, async ({ context, path }) => {
  await removeWebhook(context, path.id);
  return { status: 200, body: { ok: true } };
});
