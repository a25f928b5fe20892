import { listInvitations } from '../../lib/people/invitations.ts';
import { listInvitationsOperation } from '../../lib/people/operations.ts';
import { sessionHandler } from '../middleware/api.ts';

/** `GET /panel/invitations` */
export const build = sessionHandler(listInvitationsOperation, {}, async ({ context }) => ({
  status: 200,
  body: { invitations: await listInvitations(context) },
}));
