import type { LifeCycle } from '../kernel/life-cycle.ts';
import { isSettled, type PostStatus, type TargetStatus } from '../targets/state.ts';

/** A post's status is a function of its targets' and nothing else. A post without targets is a draft. */
export function postStatus(targets: readonly TargetStatus[]): PostStatus {
  const all = (status: TargetStatus) => targets.every((target) => target === status);
  if (all('draft')) return 'draft';
  if (all('scheduled')) return 'scheduled';
  if (all('published')) return 'published';
  if (all('failed')) return 'failed';
  return targets.every(isSettled) ? 'partial' : 'publishing';
}

/**
 * What may become of a post's stored status. It follows the targets late, so a roll-up or an edit may skip states in
 * between: a failed post becomes a draft if it is retried and edited before the first roll-up.
 */
export const postLifeCycle: LifeCycle<PostStatus> = {
  // Everything: a query may see half of a transaction, so a roll-up in the middle of an edit may store `draft` wrongly. The
  // next roll-up corrects it, whatever has become of the targets by then.
  draft: ['scheduled', 'publishing', 'published', 'partial', 'failed'],
  scheduled: ['draft', 'publishing', 'published', 'partial', 'failed'],
  publishing: ['draft', 'scheduled', 'published', 'partial', 'failed'],
  published: [],
  // A retry of what failed; something stays live.
  partial: ['publishing', 'published'],
  failed: ['draft', 'scheduled', 'publishing', 'published', 'partial'],
};
