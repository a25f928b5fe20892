import * as z from 'zod';
import { FreeForm } from '../api-contract/fields.ts';
import { MediaReference } from '../media/schemas.ts';
import { Platform } from '../platforms/contract/names.ts';
import { PostStatus } from './state.ts';
import { TimelineEntry } from './timeline.ts';

/**
 * One destination of a post, with its own life. Words used of it:
 * - *due*: the moment it is to go live (`scheduledFor`);
 * - *wake*: the next moment at which a worker has to look at it (due, less a lead; the next poll; the end of a
 *   back-off). A wake is committed with the target, numbered, and the stream sets it off: a message that carries
 *   another number than the target's is out of date and dropped;
 * - *attempt*: the fencing token of the lease. Each worker that takes the target raises it, and every later write of
 *   that worker is conditional on it, so a worker that lost its lease cannot write any more.
 */
export const Target = z.object({
  workspaceId: z.uuid(),
  postId: z.uuid(),
  accountId: z.uuid(),
  platform: Platform,
  /** Its place in the request's `platforms`. */
  position: z.int(),
  status: PostStatus,
  /** Takes the place of the post's content here. */
  content: z.string().optional(),
  /** Takes the place of the post's media here. */
  mediaItems: z.array(MediaReference).optional(),
  /** `platformSpecificData`, as it came. */
  options: FreeForm,
  scheduledFor: z.string().optional(),
  /** The key whose rhythm chose that time; absent where somebody named it. */
  autoKeyId: z.string().optional(),
  wakeAt: z.string().optional(),
  wakeNumber: z.int(),
  /** Its place in the index `overdue`: its wake, or up to two minutes before it. */
  dueAt: z.string().optional(),
  attempt: z.int(),
  leaseUntil: z.string().optional(),
  /** How many workers have taken it since one last let go of it in good order, and when the first of them did. */
  takes: z.int().optional(),
  takenSince: z.string().optional(),
  /** What the adapter needs to go on: container ids, upload sessions. Written before it is relied on. */
  preparation: FreeForm.optional(),
  /** How many times a transient failure was waited out, and since when. */
  failures: z.int(),
  firstFailureAt: z.string().optional(),
  /** When the irreversible call was about to be made. Set and without a result, the outcome is unknown. */
  intentAt: z.string().optional(),
  /** What the platform said to a last call of unknown outcome, where it is final once nothing went live. */
  refusal: z.string().optional(),
  platformPostId: z.string().optional(),
  permalink: z.string().optional(),
  error: z.string().optional(),
  publishedAt: z.string().optional(),
  /** Its post has a chain, which begins when the first target goes live. */
  startsChain: z.boolean().optional(),
  /** What was done for it, step by step. */
  timeline: z.array(TimelineEntry),
});
export type Target = z.infer<typeof Target>;

/** What lists show of a target, kept on the post; reads of one post take it from the target itself. */
export const TargetSummary = Target.pick({
  accountId: true,
  platform: true,
  status: true,
  scheduledFor: true,
  platformPostId: true,
  permalink: true,
  error: true,
  publishedAt: true,
});
export type TargetSummary = z.infer<typeof TargetSummary>;

export function summarise(target: Target): TargetSummary {
  return TargetSummary.parse(target);
}
