import type { PersonActor } from '../../lib/access/actor.ts';
import type { Role } from '../../lib/access/permissions.ts';
import type { Directory } from '../../lib/people/directory.ts';
import { acceptInvitation, listInvitations } from '../../lib/people/invitations.ts';
import { inviteMember } from '../../lib/people/members/invite.ts';
import { type MembersContext, queryMembers } from '../../lib/people/members/store.ts';
import { Member } from '../../lib/people/schemas.ts';
import type { Table } from '../../lib/table/table.ts';
import { startMs } from './builders.ts';

/** A directory that remembers whom it has admitted. */
export function fakeDirectory(): Directory & { readonly admitted: string[] } {
  const admitted: string[] = [];
  return {
    admitted,
    admit: async (email) => {
      admitted.push(email);
    },
  };
}

/** A person who has signed in just now. */
export function aPerson(changes: Partial<PersonActor> = {}): PersonActor {
  return {
    kind: 'person',
    id: '5f1d7a84-09cd-8a6c-9a3e-0c4ff8f4a101',
    role: 'owner',
    sessionId: '01890a5d-ac96-774b-bcce-b302099a8200',
    signedInAt: startMs,
    ...changes,
  };
}

/**
 * The person signs in with the address, and accepts the invitation to the workspace, if there is one.
 *
 * @returns the member of this workspace; `undefined` if the person is none
 */
export async function join(
  table: Table,
  { workspaceId, email, personId }: { workspaceId: string; email: string; personId: string },
): Promise<Member | undefined> {
  const session = { personId, email, isEmailVerified: true, name: 'Ada' };
  const context = { table, session, now: startMs, requestId: 'the-answer' };
  const invited = (await listInvitations(context)).find((each) => each.workspaceId === workspaceId);
  if (invited) await acceptInvitation(context, invited);
  const members = (await queryMembers(table, workspaceId)).map((item) => Member.parse(item));
  return members.find((member) => member.personId === personId);
}

/** Stores a member who has joined. */
export async function storeMember(
  context: MembersContext,
  { email, role, personId }: { email: string; role: Role; personId: string },
): Promise<Member> {
  const { table, workspaceId } = context;
  await inviteMember({ ...context, directory: fakeDirectory() }, { email, role });
  const member = await join(table, { workspaceId, email, personId });
  if (!member) throw new Error(`${email} could not join`);
  return member;
}
