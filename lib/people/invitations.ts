import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, anyOf, present } from '../table/condition.ts';
import type { Item } from '../table/items.ts';
import {
  invitationKey,
  invitedPartition,
  memberCountsKey,
  memberKey,
  membershipKey,
  workspaceKey,
} from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { checkPart, deletePart, putPart, transact, updatePart } from '../table/transaction.ts';
import { Workspace } from '../workspaces/schemas.ts';
import { addressDigest, EmailAddress } from './email-address.ts';
import { changedConcurrently } from './members/store.ts';
import {
  Invitation,
  invitationEndsAt,
  isInvited,
  Member,
  Membership,
  type Role,
  type Session,
} from './schemas.ts';
import type { InvitationView } from './views.ts';

/** The person who reads or answers invitations, and the context of doing so. */
export interface InvitedPerson {
  readonly table: Table;
  /** Only invitations of an address that the issuer has verified are the person's. */
  readonly session: Pick<Session, 'personId' | 'email' | 'isEmailVerified' | 'name'>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly requestId: string;
}

/** The maximum number of invitations that are shown at once. Answering one makes room for the next. */
const maxShown = 50;

/** True if the person has an invitation to answer. */
export async function hasInvitations(context: Pick<InvitedPerson, 'table' | 'session' | 'now'>) {
  return (await openInvitations(context)).length > 0;
}

/** Returns the invitations of the person's address that have not ended, oldest first. */
export async function listInvitations(
  context: Pick<InvitedPerson, 'table' | 'session' | 'now'>,
): Promise<InvitationView[]> {
  const { table } = context;
  const open = (await openInvitations(context)).slice(0, maxShown);
  const inviters = await findInviters(table, open);
  return open.map(({ member, workspace }) => {
    const inviter = inviters.get(member.id);
    return {
      id: member.id,
      workspaceId: workspace.id,
      workspaceName: workspace.name,
      role: member.role,
      invitedBy: {
        kind: member.invitedBy.kind,
        name: inviter?.name ?? null,
        email: inviter?.email ?? null,
      },
      createdAt: member.createdAt,
      endsAt: toTimestamp(invitationEndsAt(member)),
    };
  });
}

interface OpenInvitation {
  readonly member: Member;
  readonly workspace: Workspace;
}

/** Leaves out workspaces that are being erased, and those of which the person is a member already. */
async function openInvitations({
  table,
  session: { personId, email, isEmailVerified },
  now,
}: Pick<InvitedPerson, 'table' | 'session' | 'now'>): Promise<OpenInvitation[]> {
  const { data: address } = EmailAddress.safeParse(email);
  if (address === undefined || isEmailVerified !== true) return [];
  const items = await queryAll(table, { partition: invitedPartition(addressDigest(address)) });
  const invitations = readableItems(table, items, (item) => Invitation.parse(item));
  const found = await batchGet(
    table,
    invitations.flatMap(({ workspaceId, memberId }) => [
      memberKey(workspaceId, memberId),
      workspaceKey(workspaceId),
      membershipKey(personId, workspaceId),
    ]),
  );
  const open = ({ workspaceId, memberId }: Invitation): OpenInvitation[] => {
    const member = parsed(Member, found.get(memberKey(workspaceId, memberId)));
    const workspace = parsed(Workspace, found.get(workspaceKey(workspaceId)));
    if (!member || !workspace || workspace.erasingSince !== undefined) return [];
    if (member.email !== address || !isInvited(member, now)) return [];
    return found.get(membershipKey(personId, workspaceId)) ? [] : [{ member, workspace }];
  };
  return invitations.flatMap(open).toSorted((one, other) => (one.member.id < other.member.id ? -1 : 1));
}

/** Returns the members who have sent the invitations, by the invitation's id. Inviters who have left are missing. */
async function findInviters(table: Table, open: readonly OpenInvitation[]): Promise<Map<string, Member>> {
  const byPeople = open.filter(({ member }) => member.invitedBy.kind === 'person');
  const keyOf = ({ member }: OpenInvitation) => membershipKey(member.invitedBy.id, member.workspaceId);
  const memberships = await batchGet(table, byPeople.map(keyOf));
  const members = byPeople.flatMap((invitation) => {
    const membership = parsed(Membership, memberships.get(keyOf(invitation)));
    const { workspaceId, id } = invitation.member;
    return membership ? [{ id, key: memberKey(workspaceId, membership.memberId) }] : [];
  });
  const found = await batchGet(
    table,
    members.map(({ key }) => key),
  );
  return new Map(
    members.flatMap(({ id, key }) => {
      const member = parsed(Member, found.get(key));
      return member ? [[id, member] as const] : [];
    }),
  );
}

const parsed = <Value>(schema: { parse: (item: Item) => Value }, item: Item | undefined) =>
  item && schema.parse(item);

/**
 * Makes the person a member of the workspace that has invited the address. Only one person accepts an invitation, once, and the
 * workspace's audit log has one entry.
 *
 * @param answer.role the role that the person has consented to
 * @throws HeraldError `not_found` if there is no such invitation of the person's address, or it has ended; `changed_concurrently`
 *   if it has another role by now
 */
export async function acceptInvitation(
  context: InvitedPerson,
  answer: { readonly id: string; readonly role: Role },
): Promise<void> {
  const { table, session, now, requestId } = context;
  const { personId, name } = session;
  const { member } = await findOpen(context, answer.id);
  const { workspaceId, id: memberId, role, email } = member;
  if (role !== answer.role) throw changedConcurrently();
  const membership: Membership = { personId, workspaceId, memberId, role };
  const act = { actor: { kind: 'person', id: personId }, verb: 'member.join', requestId } as const;
  const { committed } = await transact(table, [
    updatePart(table, memberKey(workspaceId, memberId), {
      set: { personId, name, joinedAt: toTimestamp(now) },
      // The membership and the counts get this role, and nobody else has joined.
      if: { pk: present, personId: absent, role },
    }),
    putPart(
      table,
      { ...membershipKey(personId, workspaceId), kind: 'membership', ...membership },
      { pk: absent },
    ),
    deletePart(table, invitationKey(addressDigest(email), workspaceId), { memberId }),
    updatePart(table, memberCountsKey(workspaceId), {
      add: { [role === 'owner' ? 'owners' : 'members']: 1 },
      if: { pk: present },
    }),
    checkPart(table, workspaceKey(workspaceId), { pk: present, erasingSince: absent }),
    auditPart({ ...act, table, workspaceId, now }, { id: memberId, name: email }),
  ]);
  if (!committed) throw changedConcurrently();
}

/**
 * Declines an invitation, which is deleted. An owner may invite the address again.
 *
 * @throws HeraldError `not_found` if there is no such invitation of the person's address, or it has ended
 */
export async function declineInvitation(context: InvitedPerson, id: string): Promise<void> {
  const { table, session, now, requestId } = context;
  const { member } = await findOpen(context, id);
  const { workspaceId, email } = member;
  const act = {
    actor: { kind: 'person', id: session.personId },
    verb: 'member.decline',
    requestId,
  } as const;
  const { committed } = await transact(table, [
    deletePart(table, memberKey(workspaceId, id), { pk: present, personId: absent }),
    deletePart(table, invitationKey(addressDigest(email), workspaceId), { memberId: anyOf(absent, id) }),
    auditPart({ ...act, table, workspaceId, now }, { id, name: email }),
  ]);
  if (!committed) throw changedConcurrently();
}

async function findOpen(context: InvitedPerson, id: string): Promise<OpenInvitation> {
  const invitation = (await openInvitations(context)).find(({ member }) => member.id === id);
  if (!invitation) throw notFound('invitation');
  return invitation;
}
