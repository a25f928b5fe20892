import { referenceTo } from '../../access/actor.ts';
import type { Role } from '../../access/permissions.ts';
import { auditPart } from '../../audit/record.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { HeraldError, invalidField } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { absent, anyOf, present } from '../../table/condition.ts';
import { invitationKey, memberCountsKey, memberKey, workspaceKey } from '../../table/keys.ts';
import {
  checkPart,
  deletePart,
  putPart,
  type TransactionItems,
  transact,
  updatePart,
} from '../../table/transaction.ts';
import { ifAbsent } from '../../table/update.ts';
import { getChangeableWorkspace } from '../../workspaces/store.ts';
import type { Directory } from '../directory.ts';
import { addressDigest, EmailAddress } from '../email-address.ts';
import { type Invitation, isInvited, Member } from '../schemas.ts';
import {
  changedConcurrently,
  findMemberCounts,
  type MembersContext,
  maxAttempts,
  maxMembers,
  queryMembers,
} from './store.ts';

/**
 * Invites a person. Whoever signs in with this address, verified by the identity provider, may accept within 14 days. No mail is
 * sent: the identity provider lets the address sign in from now on, and the inviter must tell the person. An invitation of the
 * same address that has ended is replaced.
 *
 * @param input.email an address in any case, with or without spaces around it
 * @throws HeraldError `invalid` (field `email`) for a text that is not an address; `member_exists`; `conflict` if the workspace
 *   has 200 members and invitations, or is to be deleted; `not_found` for an unknown workspace; `unavailable` if the directory
 *   fails
 */
export async function inviteMember(
  context: MembersContext & { readonly directory: Directory },
  input: { readonly email: string; readonly role: Role },
): Promise<Member> {
  const { table, workspaceId, now, directory } = context;
  const email = requireAddress(input.email);
  if ((await getChangeableWorkspace(table, workspaceId)).deleteAfter !== undefined) throw toBeDeleted();
  const member: Member = {
    id: newId(now),
    workspaceId,
    email,
    role: input.role,
    createdAt: toTimestamp(now),
    invitedBy: referenceTo(context.actor),
  };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    // Read before the members: any invitation after this changes the number.
    const invitations = (await findMemberCounts(table, workspaceId))?.invitations;
    const ended = await requirePlace(context, email);
    // Before it is stored: nobody could accept an invitation without an admission.
    if (attempt === 1) await admit(directory, email);
    const outcome = await transact(table, invitationParts(context, member, invitations, ended));
    if (outcome.committed) return member;
    if (outcome.failedIndex === 0) throw toBeDeleted();
  }
  throw changedConcurrently();
}

function requireAddress(text: string): string {
  const { data, error } = EmailAddress.safeParse(text);
  if (data !== undefined) return data;
  throw invalidField('email', error?.issues[0]?.message ?? 'must be an email address', 'field_format');
}

/** @throws HeraldError `unavailable`; only operators see its cause */
async function admit(directory: Directory, email: string): Promise<void> {
  try {
    await directory.admit(email);
  } catch (cause) {
    throw new HeraldError(
      'unavailable',
      'the user pool did not take the address; nobody was invited, try again',
      {
        cause,
      },
    );
  }
}

/**
 * @returns the invitation of the address that has ended, which the new one replaces
 * @throws HeraldError `member_exists` if the address is a member or invited; `conflict` if the workspace is full
 */
async function requirePlace(
  { table, workspaceId, now }: MembersContext,
  email: string,
): Promise<Member | undefined> {
  const members = await queryMembers(table, workspaceId);
  const item = members.find((member) => member['email'] === email);
  const ended = item && Member.parse(item);
  if (ended && (ended.personId !== undefined || isInvited(ended, now)))
    throw new HeraldError(
      'member_exists',
      'email: somebody with this address is a member or invited already',
    );
  if (!ended && members.length >= maxMembers)
    throw new HeraldError(
      'conflict',
      `members: a workspace has at most ${maxMembers}, with those who are invited; remove one first`,
    );
  return ended;
}

/**
 * @param invitations the count as read before the members
 * @param ended the invitation of the same address that is replaced
 */
function invitationParts(
  context: MembersContext,
  member: Member,
  invitations: number | undefined,
  ended: Member | undefined,
): TransactionItems {
  const { table, workspaceId } = context;
  const invitation: Invitation = { workspaceId, memberId: member.id };
  return [
    checkPart(table, workspaceKey(workspaceId), { pk: present, deleteAfter: absent }),
    updatePart(table, memberCountsKey(workspaceId), {
      set: { kind: 'memberCounts', owners: ifAbsent(0), members: ifAbsent(0) },
      add: { invitations: 1 },
      if: { invitations: invitations ?? absent },
    }),
    putPart(table, { ...memberKey(workspaceId, member.id), kind: 'member', ...member }, { pk: absent }),
    putPart(
      table,
      {
        ...invitationKey(addressDigest(member.email), workspaceId),
        kind: 'invitation',
        ...invitation,
      },
      { memberId: anyOf(absent, ...(ended ? [ended.id] : [])) },
    ),
    ...(ended ? [deletePart(table, memberKey(workspaceId, ended.id), { personId: absent })] : []),
    auditPart(context, { id: member.id, name: member.email }),
  ];
}

const toBeDeleted = () =>
  new HeraldError('conflict', 'workspace: it is to be deleted, so nobody can be invited; resume it first');
