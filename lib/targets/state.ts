import * as z from 'zod';
import type { LifeCycle } from '../kernel/life-cycle.ts';

export const PostStatus = z
  .enum(['draft', 'scheduled', 'publishing', 'published', 'partial', 'failed'])
  .meta({ id: 'PostStatus' });
export type PostStatus = z.infer<typeof PostStatus>;
/** The status of a target. It has the same values as a post's, but is `partial` only if just some parts of its thread are live. */
export type TargetStatus = PostStatus;

/** All moves that a target may make. Each write of a move has the old state as its condition. */
export const targetLifeCycle: LifeCycle<TargetStatus> = {
  draft: ['scheduled'],
  scheduled: ['draft', 'publishing', 'failed'],
  // Back to scheduled only after the platform has proved that nothing went live.
  publishing: ['scheduled', 'published', 'partial', 'failed'],
  // A platform's response has proved that the post which the target was recognized by is another's. Or a retry continues a thread, of
  // which a release that does not know threads has published only the first part.
  published: ['failed', 'publishing'],
  // The same; or a person says that the last part is live.
  partial: ['failed', 'publishing', 'published'],
  // A retry, directly or after a lookup of a last call of unknown outcome; or a person says that such a call is live. An edit, if
  // nothing was ever sent for it.
  failed: ['scheduled', 'publishing', 'published', 'draft'],
};

const settled: readonly TargetStatus[] = ['published', 'partial', 'failed'];

export const isSettled = (status: TargetStatus): boolean => settled.includes(status);

/** True if anything of the target is visible on the platform. */
export const isLive = (status: TargetStatus): boolean => status === 'published' || status === 'partial';
