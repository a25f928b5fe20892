/** The people of the local run, who sign in to the panel at the simulated identity provider with one click. */
import { subjectOf } from '@herald/oidc-issuer/provider.ts';
import type { Role } from '../../lib/access/permissions.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { noDirectory } from '../../lib/people/directory.ts';
import { acceptInvitation } from '../../lib/people/invitations.ts';
import { inviteMember } from '../../lib/people/members/invite.ts';
import { listMembers } from '../../lib/people/members/list.ts';
import { findMemberCounts } from '../../lib/people/members/store.ts';
import { personIdOf } from '../../lib/people/sign-in.ts';
import type { Table } from '../../lib/table/table.ts';
import { operatorAct } from '../admin/command.ts';

/** `label` completes the name of the button: *Continue as Owner*. */
export const demoPeople = [
  { label: 'Owner', email: 'owner@herald.example', name: 'Olive Owner', role: 'owner' },
  { label: 'Member', email: 'member@herald.example', name: 'Max Member', role: 'member' },
] as const satisfies readonly {
  readonly label: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}[];

export type DemoPerson = (typeof demoPeople)[number];

/**
 * Makes the demo people members of a workspace, once: people who were removed in an earlier run stay removed. Nobody has to
 * accept an invitation before the panel shows something.
 *
 * @param now epoch milliseconds
 * @param issuer the URL of the simulated identity provider, at which they sign in
 */
export async function addDemoPeople(
  table: Table,
  now: number,
  workspaceId: string,
  issuer: string,
): Promise<void> {
  const context = { table, now, workspaceId, directory: noDirectory, ...operatorAct('member.invite') };
  const { invitations = 0 } = (await findMemberCounts(table, workspaceId)) ?? {};
  if (invitations < demoPeople.length)
    for (const { email, role } of demoPeople) {
      await inviteMember(context, { email, role }).catch((error: unknown) => {
        // An earlier run was killed after this invitation.
        if (!(error instanceof HeraldError && error.code === 'member_exists')) throw error;
      });
    }
  const members = await listMembers(context);
  for (const { email, name } of demoPeople) {
    const invited = members.find((member) => member.email === email && member.status === 'invited');
    const personId = personIdOf(issuer, subjectOf({ email }));
    const session = { personId, email, name, isEmailVerified: true };
    if (invited) await acceptInvitation({ ...context, session }, invited);
  }
}
