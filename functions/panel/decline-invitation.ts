import { declineInvitation } from '../../lib/people/invitations.ts';
import { declineInvitationOperation } from '../../lib/people/operations.ts';
import { sessionHandler } from '../middleware/api.ts';

/** `DELETE /panel/invitations/{id}` */
export const build = sessionHandler(declineInvitationOperation, {}, async ({ context, path }) => {
  await declineInvitation(context, path.id);
  return { status: 204 };
});
