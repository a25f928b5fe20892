import type { Actor } from '../../access/actor.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { readableItems } from '../../table/readable.ts';
import { invitationEndsAt, isInvited, Member } from '../schemas.ts';
import type { MemberView } from '../views.ts';
import { type MembersContext, queryMembers } from './store.ts';

/** Returns all members and invitations of the workspace, oldest first. */
export async function listMembers(context: MembersContext): Promise<MemberView[]> {
  const { table, workspaceId } = context;
  const items = await queryMembers(table, workspaceId);
  return readableItems(table, items, (item) => toMemberView(Member.parse(item), context));
}

/** Returns a member as the panel shows it to the actor. */
export function toMemberView(
  member: Member,
  { actor: viewer, now }: { readonly actor: Actor; readonly now: number },
): MemberView {
  const { id, email, name = null, role, personId = null, createdAt, joinedAt = null } = member;
  return {
    id,
    email,
    name,
    role,
    status: personId !== null ? 'active' : isInvited(member, now) ? 'invited' : 'ended',
    personId,
    isYou: viewer.kind === 'person' && viewer.id === personId,
    createdAt,
    joinedAt,
    endsAt: personId === null ? toTimestamp(invitationEndsAt(member)) : null,
  };
}
