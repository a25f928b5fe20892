import { useMemo } from 'react';
import type { listAuditOperation } from '../../../../audit/operations.ts';
import type { listKeysOperation, listMembersOperation } from '../../../../people/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import type { ReplyOf } from '../../../api/operation-types.ts';
import { words } from '../../../words/words.ts';

const texts = words.settingsPage.audit;

export type Entry = ReplyOf<typeof listAuditOperation>['entries'][number];
type Actor = Entry['actor'];

/** An actor whom people know. */
export interface KnownActor {
  readonly id: string;
  readonly name: string;
  /** Tells those of the same name apart: an email address, or that it is a key. */
  readonly note: string;
}

export interface Actors {
  /** Those that the list can be filtered by: members, then keys. */
  readonly known: readonly KnownActor[];
  /** Whether all of them are known. */
  readonly isRead: boolean;
  readonly nameOf: (actor: Actor) => string;
  /** Whether the name alone does not say who it was. */
  readonly isNameless: (actor: Actor) => boolean;
}

/** Who acts in the workspace, by its members and keys. Until they are read, and for those who left, names are general. */
export function useActors(): Actors {
  const { data: people } = useGet<typeof listMembersOperation>('/panel/members');
  const { data: issued } = useGet<typeof listKeysOperation>('/panel/keys');
  return useMemo(() => {
    const members = (people?.members ?? []).flatMap(({ personId, name, email }) =>
      personId === null ? [] : [{ id: personId, name: name ?? email, note: email }],
    );
    const keys = (issued?.keys ?? []).map(({ id, name, status }) => ({
      id,
      name,
      note: status === 'active' ? texts.kinds.key : texts.keyThat(status),
    }));
    const known = [...members, ...keys];
    const names = new Map(known.map(({ id, name }) => [id, name]));
    const isRead = { person: people !== undefined, key: issued !== undefined, operator: true };
    const isNameless = ({ kind, id }: Actor) => kind !== 'operator' && isRead[kind] && !names.has(id);
    const nameOf = ({ kind, id }: Actor) => {
      if (kind === 'operator') return id;
      return names.get(id) ?? (isRead[kind] ? texts.unknown[kind] : texts.kinds[kind]);
    };
    return { known, isRead: isRead.person && isRead.key, nameOf, isNameless };
  }, [people, issued]);
}
