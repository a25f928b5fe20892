import type { FieldProblem } from '../../kernel/errors.ts';
import type { Post } from '../schemas.ts';

/** The value of `scheduledFor` that asks for a slot. */
export const automatic = 'auto';

/** What a request says about the time of a post. */
export interface Timing {
  readonly scheduledFor?: string | undefined;
  readonly publishNow?: boolean | undefined;
  readonly isDraft?: boolean | undefined;
}

/** The same in a change: null takes the time away. */
export interface TimingChange extends Omit<Timing, 'scheduledFor'> {
  readonly scheduledFor?: string | null | undefined;
}

/** Fields that contradict each other, in a request to create or to change a post. Pure. */
export function contradictions({ scheduledFor, publishNow, isDraft }: TimingChange): FieldProblem[] {
  const problem = (field: string, message: string): FieldProblem[] => [
    { field, message, code: 'contradictory_fields' },
  ];
  if (publishNow && scheduledFor !== undefined)
    return problem('publishNow', 'cannot be combined with scheduledFor');
  if (publishNow && isDraft) return problem('publishNow', 'cannot be combined with isDraft');
  if (isDraft === false && scheduledFor === null)
    return problem('isDraft', 'cannot be false if scheduledFor is null');
  return [];
}

/**
 * What a request to create the post would have to say so that it becomes what a change makes of it: a draft stays one unless
 * the change gives it a time or `isDraft: false`, and keeps its time. Pure.
 *
 * @param change without {@link contradictions}
 */
export function changedTiming(
  { status, scheduledFor: time }: Pick<Post, 'status' | 'scheduledFor'>,
  { scheduledFor, publishNow, isDraft }: TimingChange,
): Timing {
  if (publishNow) return { publishNow };
  if (scheduledFor === null) return { isDraft: true };
  if (scheduledFor !== undefined) return { scheduledFor, isDraft };
  return { scheduledFor: time, isDraft: isDraft ?? status === 'draft' };
}
