import { createAutomation } from '../../../lib/automations/create.ts';
import { createAutomationOperation } from '../../../lib/automations/operations.ts';
import { commentPlatformFor } from '../../../lib/platforms/registry/comment-platforms.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';
import { platformTools, tokenVault } from '../../platform-tools.ts';

const { PUBLIC_BASE_URL } = environment('PUBLIC_BASE_URL');
const ports = {
  publicBaseUrl: PUBLIC_BASE_URL,
  commentPlatformFor,
  vault: tokenVault(),
  toolsFor: platformTools(),
};

/** `POST /v1/comment-automations` */
export const handler = apiHandler(createAutomationOperation, async ({ context, body }) => {
  const { automation, isExisting } = await createAutomation({ ...context, ...ports }, body);
  return isExisting
    ? { status: 200, body: { ok: true, existing: true, automation } }
    : { status: 201, body: { ok: true, automation } };
});
