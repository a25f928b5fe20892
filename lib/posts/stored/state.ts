import type { LifeCycle } from '../../kernel/life-cycle.ts';
import { isSettled, type PostStatus, type TargetStatus } from '../../targets/state.ts';

/** Derives a post's status from the statuses of its targets alone. A post without targets is a draft. */
export function postStatus(targets: readonly TargetStatus[]): PostStatus {
  const all = (status: TargetStatus) => targets.every((target) => target === status);
  if (all('draft')) return 'draft';
  if (all('scheduled')) return 'scheduled';
  if (all('published')) return 'published';
  if (all('failed')) return 'failed';
  return targets.every(isSettled) ? 'partial' : 'publishing';
}

/**
 * The moves that a post's stored status may make. It lags behind the targets, so a roll-up or an edit may skip states: for
 * example, a failed post becomes a draft if it is retried and edited before the first roll-up.
 */
export const postLifeCycle: LifeCycle<PostStatus> = {
  // All states: a query may see half of a transaction, so a roll-up during an edit may store `draft` by mistake. The next roll-up
  // corrects it, whatever the state of the targets by then.
  draft: ['scheduled', 'publishing', 'published', 'partial', 'failed'],
  scheduled: ['draft', 'publishing', 'published', 'partial', 'failed'],
  publishing: ['draft', 'scheduled', 'published', 'partial', 'failed'],
  // A target that was taken for live by mistake fails, and may be retried and edited before the first roll-up.
  published: ['draft', 'scheduled', 'publishing', 'partial', 'failed'],
  // The same, and a retry of the failed targets. The others stay live.
  partial: ['draft', 'scheduled', 'publishing', 'published', 'failed'],
  failed: ['draft', 'scheduled', 'publishing', 'published', 'partial'],
};
