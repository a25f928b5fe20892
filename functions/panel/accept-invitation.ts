import { acceptInvitation } from '../../lib/people/invitations.ts';
import { acceptInvitationOperation } from '../../lib/people/operations.ts';
import { sessionHandler } from '../middleware/api.ts';

/** `POST /panel/invitations/{id}/accept` */
export const build = sessionHandler(acceptInvitationOperation, {}, async ({ context, path, body }) => {
  await acceptInvitation(context, { id: path.id, role: body.role });
  return { status: 204 };
});
