import { HeraldError, notFound } from '../../kernel/errors.ts';
import { getItem, type Item } from '../../table/items.ts';
import { memberCountsKey, memberKey, memberPrefix, membersPartition } from '../../table/keys.ts';
import { queryAll } from '../../table/query.ts';
import type { Table } from '../../table/table.ts';
import type { Operator } from '../../workspaces/operator.ts';
import { Member, MemberCounts } from '../schemas.ts';

/** The context of viewing or changing a workspace's members: a person whose role allows it, or an operator. */
export interface MembersContext extends Operator {
  readonly workspaceId: string;
}

/** The maximum number of members and invitations per workspace. One page of a query holds them, and one response lists them. */
export const maxMembers = 200;

/** The number of tries of a change while others change the same members. They are read again each time. */
export const maxAttempts = 8;

/** Reads all members and invitations as stored, including those that cannot be parsed. */
export function queryMembers(table: Table, workspaceId: string): Promise<Item[]> {
  return queryAll(table, { partition: membersPartition(workspaceId), sort: { beginsWith: memberPrefix } });
}

/** @throws HeraldError `not_found`, also for a member of another workspace */
export async function getMember(table: Table, workspaceId: string, memberId: string): Promise<Member> {
  const item = await getItem(table, memberKey(workspaceId, memberId));
  if (!item) throw notFound('member');
  return Member.parse(item);
}

/** @returns `undefined` before the first invitation */
export async function findMemberCounts(table: Table, workspaceId: string): Promise<MemberCounts | undefined> {
  const item = await getItem(table, memberCountsKey(workspaceId));
  return item && MemberCounts.parse(item);
}

export const changedConcurrently = () =>
  new HeraldError('changed_concurrently', 'the members are being changed at the same time; try again');
