import type { Actor } from '../../access/actor.ts';
import { readableItems } from '../../table/readable.ts';
import { Member } from '../schemas.ts';
import type { MemberView } from '../views.ts';
import type { MembersContext } from './context.ts';
import { queryMembers } from './store.ts';

/** All members of the workspace and who is invited, oldest first. */
export async function listMembers({ table, workspaceId, actor }: MembersContext): Promise<MemberView[]> {
  const items = await queryMembers(table, workspaceId);
  return readableItems(table, items, (item) => toMemberView(Member.parse(item), actor));
}

/** A member as the panel shows it. @param viewer who looks at it */
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
