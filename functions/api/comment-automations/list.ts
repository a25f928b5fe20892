import { listAutomationsOperation } from '../../../lib/automations/operations.ts';
import { listAutomations } from '../../../lib/automations/read.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/comment-automations` */
export const build = apiHandler(listAutomationsOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listAutomations(context, query),
}));
