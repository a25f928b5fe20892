import { createAutomation } from '../../../lib/automations/create.ts';
import { createAutomationOperation } from '../../../lib/automations/operations.ts';
import { commentPlatformFor } from '../../../lib/platforms/registry/comment-platforms.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { linkBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/comment-automations` */
export const build = apiHandler(
  createAutomationOperation,
  { linkBaseUrl, toolsFor, vault, stageFeatures },
  async ({ context, body }) => {
    const { automation, isExisting } = await createAutomation({ ...context, commentPlatformFor }, body);
    return isExisting
      ? { status: 200, body: { ok: true, existing: true, automation } }
      : { status: 201, body: { ok: true, automation } };
  },
);
