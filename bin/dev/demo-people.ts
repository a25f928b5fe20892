/** The people of the local run, who sign in to the panel at the simulated identity provider with one click. */
import type { Role } from '../../lib/access/permissions.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { noDirectory } from '../../lib/people/directory.ts';
import { inviteMember } from '../../lib/people/members/invite.ts';
import { findMemberCounts } from '../../lib/people/members/store.ts';
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
 * Invites the demo people to a workspace, once: people who were removed in an earlier run stay removed.
 *
 * @param now epoch milliseconds
 */
export async function inviteDemoPeople(table: Table, now: number, workspaceId: string): Promise<void> {
  const { invitations = 0 } = (await findMemberCounts(table, workspaceId)) ?? {};
  if (invitations >= demoPeople.length) return;
  const context = { table, now, workspaceId, directory: noDirectory, ...operatorAct('member.invite') };
  for (const { email, role } of demoPeople) {
    await inviteMember(context, { email, role }).catch((error: unknown) => {
      // An earlier run was killed after this invitation.
      if (!(error instanceof HeraldError && error.code === 'member_exists')) throw error;
    });
  }
}
