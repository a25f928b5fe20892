import { tryAutomationOperation } from '../../../lib/automations/operations.ts';
import { tryAutomation } from '../../../lib/automations/try.ts';
import { messagingLimits as limits } from '../../../lib/platforms/instagram/limits.ts';
import { apiHandler } from '../../middleware/api.ts';
import { linkBaseUrl } from '../../wire/settings.ts';

/** `POST /v1/comment-automations/{id}/try` */
export const build = apiHandler(tryAutomationOperation, { linkBaseUrl }, async ({ context, path, body }) => ({
  status: 200,
  body: { result: await tryAutomation({ ...context, limits }, path.id, body.text) },
}));
