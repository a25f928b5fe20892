import * as z from 'zod';
import { FreeForm } from '../api-contract/fields.ts';
import { StoredAdaptation } from '../media/renditions/stored-adaptation.ts';
import { MediaReference, shapeFields } from '../media/schemas.ts';
import { CallRecord } from '../platforms/contract/last-call.ts';
import { LinkCard } from '../platforms/contract/link-card.ts';
import { Platform } from '../platforms/contract/names.ts';
import { StoredErrorDetail } from './problem.ts';
import { Removal } from './removal.ts';
import { presentRisk, StoredRisk } from './risk.ts';
import { PostStatus } from './state.ts';
import { LivePart, ThreadPart } from './thread.ts';
import { TimelineEntry } from './timeline.ts';

/** A person's word on a call whose outcome was reported as unknown. */
export const PersonsVerdict = z.enum(['live', 'not live']).meta({ id: 'Verdict' });
export type PersonsVerdict = z.infer<typeof PersonsVerdict>;

/** A request of a person about a target, remembered by its idempotency key. */
const KeyedRequest = z.object({
  /** Digest of the key. */
  keyDigest: z.string(),
  /** Digest of what was asked for. */
  bodyDigest: z.string(),
  at: z.string(),
});
export type KeyedRequest = z.infer<typeof KeyedRequest>;

/**
 * One destination of a post, with its own life cycle. Terms:
 * - *due*: the time at which it should go live (`scheduledFor`);
 * - *wake*: the next time at which a worker must process it (the due time minus a lead, the next poll, or the end of a backoff).
 *   A wake is committed with the target and numbered. The relay then schedules it. A message with another number is obsolete and
 *   dropped;
 * - *last call*: the platform call that makes it live; see `CallRecord`;
 * - *attempt*: the fencing token of the lease. Each worker that takes the lease increments it, and every later write of that
 *   worker is conditional on it. So a worker that has lost its lease can no longer write.
 */
export const Target = z.object({
  workspaceId: z.uuid(),
  postId: z.uuid(),
  accountId: z.uuid(),
  platform: Platform,
  /** Its index in the request's `platforms`. */
  position: z.int(),
  status: PostStatus,
  /** Replaces the post's content for this target. */
  content: z.string().optional(),
  /** Replaces the post's media for this target. */
  mediaItems: z.array(MediaReference).optional(),
  ...shapeFields,
  /** The files that were to be adapted when the target was planned, of those that had arrived. Absent: none. */
  adaptations: z.array(StoredAdaptation).optional(),
  /** The card of the first link in its text, as the page was when the text was planned. Absent: none. */
  card: LinkCard.optional(),
  /** The parts of a thread after the first, which is the target's own content. See {@link ThreadPart}. */
  thread: z.array(ThreadPart).optional(),
  /** `platformSpecificData` of the request, unchanged, but without its `thread`. */
  options: FreeForm,
  scheduledFor: z.string().optional(),
  /** True if it goes live at once: `scheduledFor` is the time of the request, to publish or to try again. */
  isImmediate: z.boolean().optional(),
  /** The owner of the rhythm that chose `scheduledFor`, a key or the panel; absent if the request gave the time. */
  autoKeyId: z.string().optional(),
  wakeAt: z.string().optional(),
  wakeNumber: z.int(),
  /** The version of its post after the edit that planned it; absent until the first edit. */
  postVersion: z.int().optional(),
  /**
   * Its sort key in the index `overdue`: its wake. After the sweep has sent a message for it, at most a minute later; in items of
   * earlier releases, up to two minutes earlier. For a failed target: the time of its failure.
   */
  dueAt: z.string().optional(),
  /** Its partition in the index `overdue`. */
  dueShard: z.string().optional(),
  attempt: z.int(),
  leaseUntil: z.string().optional(),
  /** The number of times the lease was taken since a worker last released it properly, and the first such time. */
  takes: z.int().optional(),
  takenSince: z.string().optional(),
  /** The adapter's data to continue, such as container ids or upload sessions. Written before anything relies on it. */
  preparation: FreeForm.optional(),
  /** The time at which the present preparation began; absent in items of earlier releases. */
  preparingSince: z.string().optional(),
  /** True if its next wake is for sending a file, which separate workers do. */
  sendsFile: z.boolean().optional(),
  /**
   * Present while it is woken only to have its files made ready, long before its preparation: since when, and until when at the
   * latest, which is its usual first wake.
   */
  awaitsFiles: z.object({ since: z.string(), until: z.string() }).optional(),
  /** The number of transient failures that were waited out, and the time of the first. */
  failures: z.int(),
  firstFailureAt: z.string().optional(),
  /** The first time that it had to wait for a limit of the platform, and the end of the limit for which it last waited. */
  limitedSince: z.string().optional(),
  limitedUntil: z.string().optional(),
  /** One record for each last call, in order. Nothing removes a record. */
  calls: z.array(CallRecord).optional(),
  /** The latest verdict of a person, on the call with this time of intent. */
  verdict: z.object({ outcome: PersonsVerdict, intentAt: z.string() }).optional(),
  platformPostId: z.string().optional(),
  permalink: z.string().optional(),
  /** The parts of a thread that are live, in order. The first is the post of `platformPostId`. */
  parts: z.array(LivePart).optional(),
  /** The problem, for people and for programs. Only `problemFields` builds them, together. */
  error: z.string().optional(),
  errorDetail: StoredErrorDetail.optional(),
  /** Counts only while it waits: see `presentRisk`. */
  risk: StoredRisk.optional(),
  /** The time at which it went live, and the start of the call that made it live. */
  publishedAt: z.string().optional(),
  calledAt: z.string().optional(),
  /** Absent while nobody has asked to take it down and its posts are there. */
  removal: Removal.optional(),
  /** The time at which its posts were deleted, or were found to be gone. Its status stays as it is. */
  removedAt: z.string().optional(),
  /** The time of its last release by a pause, and of its last retry by a person. */
  resumedAt: z.string().optional(),
  retriedAt: z.string().optional(),
  /** The latest requests of people about it that had an idempotency key, in order. */
  requests: z.array(KeyedRequest).optional(),
  /** The time at which it expires, together with its post. */
  expiresAtSeconds: z.int().optional(),
  /** True if the post has a chain, which starts when the first target goes live. */
  startsChain: z.boolean().optional(),
  /** The steps that were taken, in order. */
  timeline: z.array(TimelineEntry),
});
export type Target = z.infer<typeof Target>;

/** The fields of a target that lists show, copied to the post. Reads of one post use the target itself. */
export const TargetSummary = Target.pick({
  accountId: true,
  platform: true,
  status: true,
  scheduledFor: true,
  isImmediate: true,
  platformPostId: true,
  permalink: true,
  parts: true,
  error: true,
  errorDetail: true,
  risk: true,
  publishedAt: true,
  calledAt: true,
  removal: true,
  removedAt: true,
});
export type TargetSummary = z.infer<typeof TargetSummary>;

export function summarise(target: Target): TargetSummary {
  const { calledAt = callThatWentLive(target)?.intentAt, risk: _risk, ...rest } = target;
  const risk = presentRisk(target);
  return TargetSummary.parse({ ...rest, ...(risk && { risk }), ...(calledAt !== undefined && { calledAt }) });
}

/** Returns the record of the call that made a target live: an earlier release stored no `calledAt`. */
function callThatWentLive({ publishedAt, calls = [] }: Target): CallRecord | undefined {
  return publishedAt === undefined ? undefined : calls.findLast(({ outcome }) => outcome === 'live');
}
