import { editAutomation } from '../../../lib/automations/edit.ts';
import { editAutomationOperation } from '../../../lib/automations/operations.ts';
import { messagingLimits as limits } from '../../../lib/platforms/instagram/limits.ts';
import { apiHandler } from '../../middleware/api.ts';
import { linkBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `PATCH /v1/comment-automations/{id}` */
export const build = apiHandler(
  editAutomationOperation,
  { linkBaseUrl, stageFeatures },
  async ({ context, path, body }) => ({
    status: 200,
    body: { automation: await editAutomation({ ...context, limits }, path.id, body) },
  }),
);
