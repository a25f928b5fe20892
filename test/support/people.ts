import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Role } from '../../lib/access/permissions.ts';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { addressDigest } from '../../lib/people/email-address.ts';
import type { Invitation, Member, Membership } from '../../lib/people/schemas.ts';
import { unconditionally } from '../../lib/table/condition.ts';
import { updateItem } from '../../lib/table/items.ts';
import { invitationKey, memberCountsKey, memberKey, membershipKey } from '../../lib/table/keys.ts';
import type { Table } from '../../lib/table/table.ts';
import { startMs } from './builders.ts';

interface MemberOptions {
  readonly role?: Role;
  readonly email?: string;
  /** The time of the invitation, in epoch milliseconds. */
  readonly at?: number;
}

const put = (table: Table, Item: Record<string, unknown>) =>
  table.client.send(new PutCommand({ TableName: table.name, Item }));

/** Stores somebody who is invited to a workspace, without the verbs that do so. */
export async function storeInvited(
  table: Table,
  workspaceId: string,
  { role = 'member', email = 'ada@example.com', at = startMs }: MemberOptions = {},
): Promise<Member> {
  const id = newId(at);
  const invitedBy = { kind: 'operator', id: 'ada' } as const;
  const member: Member = { id, workspaceId, email, role, createdAt: toTimestamp(at), invitedBy };
  const invitation: Invitation = { workspaceId, memberId: id };
  await put(table, { ...memberKey(workspaceId, id), kind: 'member', ...member });
  await addToCounts(table, workspaceId, { owners: 0, members: 0 });
  await put(table, {
    ...invitationKey(addressDigest(email), workspaceId),
    kind: 'invitation',
    ...invitation,
  });
  return member;
}

/** Stores a member of a workspace who has joined, without the verbs that do so. */
export async function storeMember(
  table: Table,
  workspaceId: string,
  { personId, role = 'member', email = 'ada@example.com' }: MemberOptions & { readonly personId: string },
): Promise<{ member: Member; membership: Membership }> {
  const id = newId(startMs);
  const at = toTimestamp(startMs);
  const invitedBy = { kind: 'operator', id: 'ada' } as const;
  const member: Member = { id, workspaceId, email, role, createdAt: at, invitedBy, personId, joinedAt: at };
  const membership: Membership = { personId, workspaceId, memberId: id, role };
  await put(table, { ...memberKey(workspaceId, id), kind: 'member', ...member });
  await put(table, { ...membershipKey(personId, workspaceId), kind: 'membership', ...membership });
  await addToCounts(table, workspaceId, {
    owners: Number(role === 'owner'),
    members: Number(role === 'member'),
  });
  return { member, membership };
}

const addToCounts = (table: Table, workspaceId: string, add: Readonly<Record<string, number>>) =>
  updateItem(table, memberCountsKey(workspaceId), {
    set: { kind: 'memberCounts' },
    add,
    if: unconditionally,
  });
