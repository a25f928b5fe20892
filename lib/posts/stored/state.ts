import type { Target } from '../../targets/schemas.ts';
import { isSettled, type PostStatus, type TargetStatus } from '../../targets/state.ts';

/**
 * Derives a post's status from the statuses of its targets alone. A post without targets is a draft. The stored status lags behind the
 * targets, which make the moves, so it may go from any status to any other.
 */
export function postStatus(targets: readonly TargetStatus[]): PostStatus {
  const all = (status: TargetStatus) => targets.every((target) => target === status);
  if (all('draft')) return 'draft';
  if (all('scheduled')) return 'scheduled';
  if (all('published')) return 'published';
  if (all('failed')) return 'failed';
  return targets.every(isSettled) ? 'partial' : 'publishing';
}

/**
 * True if an edit may change or remove the target: it waits, or it has failed before anything was sent for it, such as because its
 * file could not be converted.
 */
export const isEditable = ({ status, calls = [], preparation }: Target): boolean =>
  status === 'draft' ||
  status === 'scheduled' ||
  (status === 'failed' && calls.length === 0 && preparation === undefined);
