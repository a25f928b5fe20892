import { editAutomation } from '../../../lib/automations/edit.ts';
import { editAutomationOperation } from '../../../lib/automations/operations.ts';
import { messagingLimits as limits } from '../../../lib/platforms/instagram/limits.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { PUBLIC_BASE_URL: publicBaseUrl } = environment('PUBLIC_BASE_URL');

/** `PATCH /v1/comment-automations/{id}` */
export const handler = apiHandler(editAutomationOperation, async ({ context, path, body }) => ({
  status: 200,
  body: { automation: await editAutomation({ ...context, publicBaseUrl, limits }, path.id, body) },
}));
