import type { InvitationView } from '../../../lib/people/views.ts';

/** An invitation of the person who is signed in. */
export const invitationOf = (number: number, changes: Partial<InvitationView> = {}): InvitationView => ({
  id: `00000000-0000-4000-8000-00000000010${number}`,
  workspaceId: `00000000-0000-4000-8000-00000000020${number}`,
  workspaceName: 'Südlicht',
  role: 'member',
  invitedBy: { kind: 'person', name: 'Olga Owner', email: 'olga@herald.example' },
  createdAt: '2026-03-01T08:00:00.000Z',
  endsAt: '2026-03-15T08:00:00.000Z',
  ...changes,
});
