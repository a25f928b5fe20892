import { changeRole } from '../../lib/people/members/change.ts';
import { toMemberView } from '../../lib/people/members/list.ts';
import { editMemberOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';

/** `PATCH /panel/members/{id}` */
export const build = apiHandler(editMemberOperation, {}, async ({ context, path, body }) => ({
  status: 200,
  body: {
    member: toMemberView(await changeRole(context, { memberId: path.id, role: body.role }), context),
  },
}));
