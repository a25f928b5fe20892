import { useMemo } from 'react';
import type { listKeysOperation, listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { useMe } from '../../workspace.tsx';
import { strings } from './strings.ts';

export type Key = ReplyOf<typeof listKeysOperation>['keys'][number];
type Actor = NonNullable<Key['createdBy']>;

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
