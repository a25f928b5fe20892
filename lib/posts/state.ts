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
