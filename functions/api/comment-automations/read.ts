import { readAutomationOperation } from '../../../lib/automations/operations.ts';
import { readAutomation } from '../../../lib/automations/read.ts';
import { apiHandler } from '../../middleware/api.ts';
import { linkBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/comment-automations/{id}` */
export const build = apiHandler(readAutomationOperation, { linkBaseUrl }, async ({ context, path }) => ({
  status: 200,
  body: { automation: await readAutomation(context, path.id) },
}));
