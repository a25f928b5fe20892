import { readAutomationOperation } from '../../../lib/automations/operations.ts';
import { readAutomation } from '../../../lib/automations/read.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { PUBLIC_BASE_URL: publicBaseUrl } = environment('PUBLIC_BASE_URL');

/** `GET /v1/comment-automations/{id}` */
export const handler = apiHandler(readAutomationOperation, async ({ context, path }) => ({
  status: 200,
  body: { automation: await readAutomation({ ...context, publicBaseUrl }, path.id) },
}));
