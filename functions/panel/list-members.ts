import { listMembers } from '../../lib/people/members/list.ts';
import { listMembersOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `GET /panel/members` */
export const build = apiHandler(listMembersOperation, {}, async ({ context }) => ({
  status: 200,
  body: { members: await listMembers(context) },
}));
