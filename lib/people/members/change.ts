import type { Role } from '../../access/permissions.ts';
import { auditPart } from '../../audit/record.ts';
import { HeraldError, notFound } from '../../kernel/errors.ts';
import { absent, anyOf, type Condition, moreThan, present, unconditionally } from '../../table/condition.ts';
import { getItem } from '../../table/items.ts';
import { invitationKey, memberCountsKey, memberKey, membershipKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { deletePart, type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { addressDigest } from '../email-address.ts';
import { type Member, Membership } from '../schemas.ts';
import { changedConcurrently, getMember, type MembersContext, maxAttempts } from './store.ts';

/** A member who has joined. */
type Joined = Member & { readonly personId: string };

/**
 * Gives a member, or an invited person, another role. It applies from the person's next request on.
 *
 * @throws HeraldError `not_found`; `last_owner` if no other owner has joined
 */
export async function changeRole(
  context: MembersContext,
  { memberId, role }: { readonly memberId: string; readonly role: Role },
): Promise<Member> {
  const { table } = context;
  return changeMember(context, memberId, (member) => {
    const after = { ...member, role };
    if (member.role === role) return { after, writes: [] };
    const change = { set: { role }, if: asRead(member) };
    const writes = [
      updatePart(table, memberKey(member.workspaceId, member.id), change),
      ...(hasJoined(member)
        ? [
            countPart(table, member, role),
            updatePart(table, membershipKey(member.personId, member.workspaceId), {
              set: { role },
              if: { memberId: member.id },
            }),
          ]
        : []),
    ];
    return { after, writes };
  });
}

/**
 * Removes a member, or withdraws an invitation. From the next request on, the member can do nothing in the workspace, but stays
 * signed in for other workspaces.
 *
 * @throws HeraldError `not_found`; `last_owner` if no other owner has joined
 */
export async function removeMember(context: MembersContext, memberId: string): Promise<void> {
  const { table } = context;
  await changeMember(context, memberId, (member) => {
    const { id, workspaceId, email } = member;
    const writes = [
      deletePart(table, memberKey(workspaceId, id), asRead(member)),
      ...(hasJoined(member)
        ? [
            countPart(table, member, undefined),
            deletePart(table, membershipKey(member.personId, workspaceId), { memberId: anyOf(absent, id) }),
          ]
        : // Nobody has joined by this address, so the invitation is the one that this member is stored with.
          [deletePart(table, invitationKey(addressDigest(email), workspaceId), unconditionally)]),
    ];
    return { after: member, writes };
  });
}

/**
 * Lets a person leave the workspace. From the next request on, the person can do nothing in it, but stays signed in for others.
 *
 * @throws HeraldError `not_found` if the person is not a member; `last_owner` if no other owner has joined
 */
export async function leaveWorkspace(context: MembersContext): Promise<void> {
  const { table, workspaceId, actor } = context;
  const item = actor.kind === 'person' && (await getItem(table, membershipKey(actor.id, workspaceId)));
  if (!item) throw notFound('member');
  await removeMember(context, Membership.parse(item).memberId);
}

/** The member after a change, and the writes for it: the member first, then the counts if the member has joined. */
interface Change {
  readonly after: Member;
  readonly writes: TransactionItems;
}

async function changeMember(
  context: MembersContext,
  memberId: string,
  decide: (member: Member) => Change,
): Promise<Member> {
  const { table, workspaceId } = context;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const before = await getMember(table, workspaceId, memberId);
    const { after, writes } = decide(before);
    if (writes.length === 0) return after;
    const parts = [...writes, auditPart(context, { id: memberId, name: before.name ?? before.email })];
    const outcome = await transact(table, parts);
    if (outcome.committed) return after;
    if (outcome.failedIndex === 1)
      throw new HeraldError(
        'last_owner',
        'member: the workspace would have no owner who has joined; make another member an owner first',
      );
  }
  throw changedConcurrently();
}

const hasJoined = (member: Member): member is Joined => member.personId !== undefined;

/** Returns the condition that nobody has joined, or changed the role, since the member was read. */
const asRead = ({ role, personId }: Member): Condition => ({ role, personId: personId ?? absent });

/**
 * Returns the part of a transaction that updates the counts of joined members. An owner is removed only if another remains.
 *
 * @param to the new role; `undefined` if the member is removed
 */
function countPart(
  table: Table,
  { workspaceId, role }: Joined,
  to: Role | undefined,
): TransactionItems[number] {
  return updatePart(table, memberCountsKey(workspaceId), {
    add: { [numberOf[role]]: -1, ...(to && { [numberOf[to]]: 1 }) },
    if: role === 'owner' ? { owners: moreThan(1) } : { pk: present },
  });
}

const numberOf = { owner: 'owners', member: 'members' } as const;
