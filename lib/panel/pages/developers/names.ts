import { useMemo } from 'react';
import type { listKeysOperation, listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { words } from '../../words/words.ts';
import { useMe } from '../../workspace.tsx';

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
      if (kind === 'operator') return words.developersPage.actors.operator(id);
      if (kind === 'key') return words.developersPage.actors.key(keyNames.get(id) ?? id);
      if (id === person.id) return words.developersPage.actors.you;
      return (
        members.get(id) ??
        (data ? words.developersPage.actors.formerMember : words.developersPage.actors.member)
      );
    };
  }, [data, keys, person.id]);
}
