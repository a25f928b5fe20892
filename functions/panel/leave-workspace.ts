import { leaveWorkspace } from '../../lib/people/members/change.ts';
import { leaveWorkspaceOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `DELETE /panel/membership` */
export const build = apiHandler(leaveWorkspaceOperation, {}, async ({ context }) => {
  await leaveWorkspace(context);
  return { status: 204, body: undefined };
});
