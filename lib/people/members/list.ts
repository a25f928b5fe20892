import type { Actor } from '../../access/actor.ts';
import { readableItems } from '../../table/readable.ts';
import { Member } from '../schemas.ts';
import type { MemberView } from '../views.ts';
import { type MembersContext, queryMembers } from './store.ts';

/** Returns all members and invitations of the workspace, oldest first. */
export async function listMembers({ table, workspaceId, actor }: MembersContext): Promise<MemberView[]> {
  const items = await queryMembers(table, workspaceId);
  return readableItems(table, items, (item) => toMemberView(Member.parse(item), actor));
}

/** Returns a member as the panel shows it. @param viewer the actor who sees it */
export function toMemberView(member: Member, viewer: Actor): MemberView {
  const { id, email, name = null, role, personId = null, createdAt, joinedAt = null } = member;
  return {
    id,
    email,
    name,
    role,
    status: personId === null ? 'invited' : 'active',
    personId,
    isYou: viewer.kind === 'person' && viewer.id === personId,
    createdAt,
    joinedAt,
  };
}
