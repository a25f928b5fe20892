import type { listKeysOperation, listMembersOperation } from '../../people/operations.ts';
import { useGet } from '../api/hooks.ts';
import { words } from '../words/words.ts';
import { useIsOwner } from '../workspace.tsx';
import type { ListedPost } from './post.ts';

type Actor = NonNullable<ListedPost['approval']>['requestedBy'];

/** True if somebody has asked for the approval of a draft, and nobody has approved it. */
export const isUndecided = ({ approval }: Pick<ListedPost, 'approval'>): boolean =>
  approval !== null && approval.state !== 'approved';

/**
 * Returns the name of whoever proposed a draft, or decided about it. Only owners may list keys; for others, and for those that are
 * gone, names are general.
 */
export function useActorNames(): (actor: Actor) => string {
  const isOwner = useIsOwner();
  const { data: people } = useGet<typeof listMembersOperation>('/panel/members');
  const { data: issued } = useGet<typeof listKeysOperation>('/panel/keys', undefined, { isEnabled: isOwner });
  return ({ kind, id }) => {
    const member = people?.members.find(({ personId }) => personId === id);
    const key = issued?.keys.find((each) => each.id === id);
    return member?.name ?? member?.email ?? key?.name ?? words.proposals.requesters[kind];
  };
}
