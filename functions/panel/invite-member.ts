import { inviteMember } from '../../lib/people/members/invite.ts';
import { toMemberView } from '../../lib/people/members/list.ts';
import { inviteMemberOperation } from '../../lib/people/operations.ts';
import { apiHandler } from '../middleware/api.ts';
import { directory } from '../wire/directory.ts';

/** `POST /panel/members` */
export const build = apiHandler(inviteMemberOperation, { directory }, async ({ context, body }) => ({
  status: 201,
  body: { member: toMemberView(await inviteMember(context, body), context) },
}));
