import { listConversations } from '../../../lib/automations/conversations.ts';
import { listConversationsOperation } from '../../../lib/automations/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/comment-automations/{id}/conversations` */
export const build = apiHandler(listConversationsOperation, {}, async ({ context, path, query }) => ({
  status: 200,
  body: await listConversations(context, path.id, query),
}));
