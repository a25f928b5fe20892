/** The page with the invitations of a person. */
export const invitationsPage = {
  title: 'Invitations',
  lead: (email: string) => `For ${email}. You join a workspace only if you accept.`,
  none: 'No invitation is waiting for you',
  noneText:
    'Invitations are for the address with which you sign in, and end after 14 days. Ask an owner of the workspace to invite it.',
  /** Two workspaces may have the same name. */
  workspace: (name: string, id: string) => `${name} · ${id}`,
  byMember: (who: string) => `Invited by ${who}`,
  byFormer: 'Invited by somebody who is no longer a member',
  byOperator: 'Invited by whoever runs this service',
  as: {
    member: 'You would be member: posts, files, automations and connecting accounts.',
    owner: 'You would be owner: also API keys, webhooks, members, disconnecting accounts and the audit log.',
  },
  workspaceId: 'Workspace id',
  until: (day: string) => `Ends on ${day}`,
  careful:
    'Accept only if you know who invites you. Names are chosen freely; compare the id if you are not sure.',
  accept: 'Accept',
  decline: 'Decline',
  acceptOf: (workspace: string) => `Accept: ${workspace}`,
  declineOf: (workspace: string) => `Decline: ${workspace}`,
  notAnswered: 'Your answer was not recorded',
  later: 'Decide later',
  goOn: 'Go on',
};
