import type { ListedPost, ListedTarget, Target } from '../../posts/post.ts';
import { byUrgency, type Condition, conditionOfTarget, type Known } from '../../posts/state.ts';

/** Sorts destinations: those that need a person first, then as in the post. Pure. */
export function mostUrgentFirst<One extends ListedTarget>(targets: readonly One[]): One[] {
  const placeOf = (target: ListedTarget): number => byUrgency.indexOf(conditionOfTarget(target));
  return targets.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Counts the destinations in each state, the most urgent first. Pure. */
export function countsOf(
  post: Pick<ListedPost, 'platforms' | 'scheduledFor'>,
  known?: Known,
): { condition: Condition; number: number }[] {
  const groups = Map.groupBy(post.platforms, (target) =>
    conditionOfTarget(target, known, target.scheduledFor ?? post.scheduledFor),
  );
  return byUrgency.flatMap((condition) => {
    const number = groups.get(condition)?.length ?? 0;
    return number === 0 ? [] : [{ condition, number }];
  });
}

/** True if somebody can ask to take the destination down: it is live, and that is not under way or done. Pure. */
export const canTakeDown = ({ status, removal }: ListedTarget): boolean =>
  (status === 'published' || status === 'partial') && (removal === null || removal.state === 'failed');

/** Returns the first comment that the post asks for, with what became of it; `undefined` if it asks for none. Pure. */
export function firstCommentOf({
  status,
  errorDetail,
  platformSpecificData,
}: Pick<Target, 'status' | 'errorDetail' | 'platformSpecificData'>):
  | { readonly text: string; readonly state: 'planned' | 'pending' | 'added' | 'unsure' | 'never' }
  | undefined {
  const text = (platformSpecificData as Readonly<Record<string, unknown>>)['firstComment'];
  if (typeof text !== 'string' || text === '') return undefined;
  if (status === 'publishing') return { text, state: 'pending' };
  if (status === 'failed') return { text, state: 'never' };
  if (status === 'published' || status === 'partial')
    return { text, state: errorDetail === null ? 'added' : 'unsure' };
  return { text, state: 'planned' };
}
