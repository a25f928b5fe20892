import type { FieldProblem } from '../../kernel/errors.ts';
import type { Target } from '../../targets/schemas.ts';
import type { PostWithTargets } from '../stored/store.ts';

/** The value of `scheduledFor` that asks for a slot. */
export const automatic = 'auto';

/** The timing fields of a request. */
export interface Timing {
  readonly scheduledFor?: string | undefined;
  readonly publishNow?: boolean | undefined;
  readonly isDraft?: boolean | undefined;
}

/** The destinations' own times in a request. */
interface DestinationTimes {
  readonly platforms?: readonly { readonly scheduledFor?: string | undefined }[] | undefined;
}

/** The timing fields of a change: null removes the time. */
export interface TimingChange extends Omit<Timing, 'scheduledFor'> {
  readonly scheduledFor?: string | null | undefined;
  /** Present if the change declines a draft. */
  readonly decline?: object | undefined;
}

/** Returns the fields that contradict each other, in a request to create or to change a post. Pure. */
export function contradictions({
  scheduledFor,
  publishNow,
  isDraft,
  decline,
  platforms,
}: TimingChange & DestinationTimes): FieldProblem[] {
  const problem = (field: string, message: string): FieldProblem[] => [
    { field, message, code: 'contradictory_fields' },
  ];
  if (publishNow && scheduledFor !== undefined)
    return problem('publishNow', 'cannot be combined with scheduledFor');
  if (publishNow && isDraft) return problem('publishNow', 'cannot be combined with isDraft');
  if (decline && (publishNow || isDraft === false || typeof scheduledFor === 'string'))
    return problem('decline', 'cannot be combined with a request to schedule the post');
  if (isDraft === false && scheduledFor === null)
    return problem('isDraft', 'cannot be false if scheduledFor is null');
  if ((publishNow || scheduledFor === automatic) && haveOwnTimes(platforms))
    return problem(
      publishNow ? 'publishNow' : 'scheduledFor',
      'has no effect: every destination has a time of its own',
    );
  return [];
}

const haveOwnTimes = (platforms: DestinationTimes['platforms'] = []): boolean =>
  platforms.length > 0 && platforms.every(({ scheduledFor }) => scheduledFor !== undefined);

/**
 * Returns the timing of a create request that would lead to the changed post. A draft stays one unless the change gives it a time
 * or `isDraft: false`. The post keeps its time, unless the change gives every destination its own time and the post's time may
 * have come from the destinations: then it comes from them again. Pure.
 *
 * @param change without {@link contradictions}
 */
export function changedTiming(
  { post: { status, scheduledFor: time }, targets }: PostWithTargets,
  { scheduledFor, publishNow, isDraft, platforms }: TimingChange & DestinationTimes,
): Timing {
  if (publishNow) return { publishNow };
  if (scheduledFor === null) return { isDraft: true };
  if (scheduledFor !== undefined) return { scheduledFor, isDraft };
  const stays = !haveOwnTimes(platforms) || isOwnTime(time, targets);
  return { ...(stays && { scheduledFor: time }), isDraft: isDraft ?? status === 'draft' };
}

/** True if the time of a post is certainly one that a client gave to the post itself. */
function isOwnTime(time: string | undefined, targets: readonly Target[]): boolean {
  // Nobody requested the time of a slot, and a retry has moved destinations away from the post's time.
  if (targets.some(({ autoKeyId, retriedAt }) => (autoKeyId ?? retriedAt) !== undefined)) return false;
  const [earliest] = targets.flatMap(({ scheduledFor }) => scheduledFor ?? []).toSorted();
  return time !== earliest;
}
