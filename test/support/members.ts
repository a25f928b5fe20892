import type { PersonActor } from '../../lib/access/actor.ts';
import type { Role } from '../../lib/access/permissions.ts';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import type { Directory } from '../../lib/people/directory.ts';
import { addressDigest } from '../../lib/people/email-address.ts';
import type { MembersContext } from '../../lib/people/members/context.ts';
import { inviteMember } from '../../lib/people/members/invite.ts';
import { getMember } from '../../lib/people/members/store.ts';
import { Invitation, type Member } from '../../lib/people/schemas.ts';
import { absent, present } from '../../lib/table/condition.ts';
import { getItem } from '../../lib/table/items.ts';
import { invitationKey, memberCountsKey, memberKey, membershipKey } from '../../lib/table/keys.ts';
import type { Table } from '../../lib/table/table.ts';
import { deletePart, putPart, transact, updatePart } from '../../lib/table/transaction.ts';
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
 * Binds a person to the invitation of an address, in one transaction.
 *
 * @returns the member; `undefined` if there is no such invitation any more
 */
export async function join(
  table: Table,
  { workspaceId, email, personId }: { workspaceId: string; email: string; personId: string },
): Promise<Member | undefined> {
  const item = await getItem(table, invitationKey(addressDigest(email), workspaceId));
  if (!item) return undefined;
  const { memberId } = Invitation.parse(item);
  const member = await getMember(table, workspaceId, memberId).catch(() => undefined);
  if (!member) return undefined;
  const { role } = member;
  const joined = { personId, name: 'Ada', joinedAt: toTimestamp(startMs) };
  const outcome = await transact(
    table,
    [
      updatePart(table, memberKey(workspaceId, memberId), {
        set: joined,
        if: { pk: present, personId: absent, role },
      }),
      putPart(
        table,
        {
          ...membershipKey(personId, workspaceId),
          kind: 'membership',
          personId,
          workspaceId,
          memberId,
          role,
        },
        { pk: absent },
      ),
      deletePart(table, invitationKey(addressDigest(email), workspaceId), { memberId }),
      updatePart(table, memberCountsKey(workspaceId), {
        add: { [role === 'owner' ? 'owners' : 'members']: 1 },
        if: { pk: present },
      }),
    ],
    12,
  );
  return outcome.committed ? { ...member, ...joined } : undefined;
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
