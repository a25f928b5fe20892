import type { listAccountsOperation } from '../../../accounts/operations.ts';
import type { listKeysOperation, listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { useMe } from '../../workspace.tsx';
import { strings } from './strings.ts';

export type Key = ReplyOf<typeof listKeysOperation>['keys'][number];
export type Account = ReplyOf<typeof listAccountsOperation>['accounts'][number];
type Actor = NonNullable<Key['createdBy']>;

/** All accounts of the workspace. */
export const useAccounts = () => useGet<typeof listAccountsOperation>('/v1/accounts');

/** What people call an account. */
export const accountName = ({ displayName, username, id }: Account): string => displayName ?? username ?? id;

/** Says who did something, by the members and keys of the workspace. */
export function useActorName(keys: readonly Key[]): (actor: Actor) => string {
  const { person } = useMe();
  const { data } = useGet<typeof listMembersOperation>('/panel/members');
  const members = new Map(data?.members.map((member) => [member.personId, member.name ?? member.email]));
  return (actor) => {
    if (actor.kind === 'operator') return strings.actors.operator(actor.id);
    if (actor.kind === 'key')
      return strings.actors.key(keys.find(({ id }) => id === actor.id)?.name ?? actor.id);
    if (actor.id === person.id) return strings.actors.you;
    return members.get(actor.id) ?? (data ? strings.actors.formerMember : strings.actors.member);
  };
}
