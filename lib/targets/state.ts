import * as z from 'zod';
import type { LifeCycle } from '../kernel/life-cycle.ts';

export const PostStatus = z
  .enum(['draft', 'scheduled', 'publishing', 'published', 'partial', 'failed'])
  .meta({ id: 'PostStatus' });
export type PostStatus = z.infer<typeof PostStatus>;
/** A target has the same states; `partial` only if the platform itself published a part. */
export type TargetStatus = PostStatus;

/** Every move a target may make; each write that makes one carries the state it comes from as its condition. */
export const targetLifeCycle: LifeCycle<TargetStatus> = {
  draft: ['scheduled'],
  scheduled: ['draft', 'publishing', 'failed'],
  // Back to scheduled only after the platform has proved that nothing went live.
  publishing: ['scheduled', 'published', 'partial', 'failed'],
  published: [],
  partial: [],
  // A retry: at once, or by way of the question what became of an unknown last call.
  failed: ['scheduled', 'publishing'],
};

const settled: readonly TargetStatus[] = ['published', 'partial', 'failed'];

export const isSettled = (status: TargetStatus): boolean => settled.includes(status);

/** Something of it can be seen on the platform. */
export const isLive = (status: TargetStatus): boolean => status === 'published' || status === 'partial';
