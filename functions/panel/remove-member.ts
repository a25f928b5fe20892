import { removeMember } from '../../lib/people/members/change.ts';
import { removeMemberOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `DELETE /panel/members/{id}` */
export const build = apiHandler(removeMemberOperation, {}, async ({ context, path }) => {
  await removeMember(context, path.id);
  return { status: 204, body: undefined };
});
