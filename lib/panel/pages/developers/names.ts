import { useMemo } from 'react';
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
  return useMemo(() => {
    const members = new Map(data?.members.map((member) => [member.personId, member.name ?? member.email]));
    const keyNames = new Map(keys.map(({ id, name }) => [id, name]));
    return ({ kind, id }) => {
      if (kind === 'operator') return strings.actors.operator(id);
      if (kind === 'key') return strings.actors.key(keyNames.get(id) ?? id);
      if (id === person.id) return strings.actors.you;
      return members.get(id) ?? (data ? strings.actors.formerMember : strings.actors.member);
    };
  }, [data, keys, person.id]);
}
