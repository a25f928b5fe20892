import * as z from 'zod';
import { FreeForm } from '../../api-contract/fields.ts';
import type { LivePost, Preparation } from './live-post.ts';

/**
 * The outcome of a last call:
 * - `open`: not known yet;
 * - `live`: it made the post live;
 * - `refused`: the platform refused it, or it was never sent;
 * - `absent`: it is proven that nothing went live, and that nothing can go live any more;
 * - `repeated`: not known, but a later call with the same token was made, and both together make at most one post;
 * - `unknown`: no proof was found in time, and the outcome was reported as unknown;
 * - `dismissed`: as `unknown`, and then a person asked for another try, or said that nothing is live.
 */
export const CallOutcome = z.enum(['open', 'live', 'refused', 'absent', 'repeated', 'unknown', 'dismissed']);
export type CallOutcome = z.infer<typeof CallOutcome>;

/**
 * The record of one last call: the platform call that makes a post live or sends a message. Records are appended and
 * settled, never removed.
 */
export const CallRecord = z.object({
  /** The time at which the intent was committed. The call may begin at any time after it. */
  intentAt: z.string(),
  /** The reference to what the call publishes, in the adapter's own format: a container, an upload session, media ids. */
  token: FreeForm,
  /** A time at which the call had certainly ended. Until one is known, the latest time at which it can end. */
  endedAt: z.string(),
  outcome: CallOutcome,
  /** The evidence for the outcome, for people. */
  proof: z.string().optional(),
  /** The platform's answer, if nothing went live and the answer is a final refusal. */
  refusal: z.string().optional(),
  /**
   * The number of times the platform was asked about the call. `misses` counts those on which it showed no trace
   * although its reads had caught up.
   */
  lookups: z.int(),
  misses: z.int(),
  /** True if the platform was still processing the call when it last answered a lookup, so that the call may yet take effect. */
  isProcessing: z.boolean().exactOptional(),
  /**
   * True if the service was restored from a backup: the record stands for all calls that were made after the backup and
   * are not in it. It proves nothing if its token is not live, so no call is repeated before a person asks for it.
   */
  isRestored: z.literal(true).exactOptional(),
});
export type CallRecord = z.infer<typeof CallRecord>;

/** A last call of unknown outcome, as an adapter sees it. Times are in epoch milliseconds. */
export interface LastCall {
  readonly token: Preparation;
  /**
   * The earliest possible time of the post (less {@link clockSlackMs}): an older one cannot come from the call, nor
   * from an earlier unproven one.
   */
  readonly sinceMs: number;
  /** A time at which the call had certainly ended. Before it, the call may still be running. */
  readonly endedMs: number;
  /**
   * Returns true if another target has claimed this post. An adapter asks about each post that it recognizes by its
   * looks. The engine takes every other post that a lookup returns as certainly the target's own.
   */
  readonly isTaken: (platformPostId: string) => Promise<boolean>;
}

/** The platform's evidence about a last call. */
export type Finding =
  | { readonly state: 'live'; readonly post: LivePost }
  /** Proven: the thing that the call would have published has failed, has expired or never existed. It can no longer go live. */
  | { readonly state: 'absent'; readonly proof: string; readonly preparation: Preparation }
  /** The platform has accepted the call, and has not finished. Ask again after the wait. */
  | { readonly state: 'processing'; readonly waitSeconds: number }
  /**
   * No trace of the call. This alone proves nothing: reads may lag, and the call may still be running. The engine
   * counts such findings by the {@link AbsenceRule}.
   *
   * @property preparation replaces the job's preparation if the same call is made again
   * @property isGone true if something that the call uses no longer exists, such as an expired upload, so that the same
   *   call cannot be made again
   */
  | { readonly state: 'unseen'; readonly preparation?: Preparation; readonly isGone?: boolean };

/**
 * The time for which the engine looks for a last call that leaves no trace, and what it may do then. A list shows that
 * a post exists, never that it does not: nobody can tell a list without the post from one that lags. So if the platform
 * does not limit the call to one effect, the outcome becomes unknown.
 */
export interface AbsenceRule {
  /** The longest time that the call itself may take, from its first byte to the end of its response. */
  readonly callSeconds: number;
  /**
   * The longest time that the platform's reads may lag behind its writes. Findings before `endedMs` plus this time
   * prove nothing.
   */
  readonly readLagSeconds: number;
  /** The number of findings without a trace that are needed after that time. */
  readonly lookups: number;
  /** The time between these findings. */
  readonly gapSeconds: number;
  /** The longest time for which the platform may process an accepted call. */
  readonly processingSeconds: number;
  /**
   * The reason why repeating the call cannot make a second post, for people: what it publishes can be published only
   * once, such as "an upload session completes one video". Absent if the platform promises nothing of the kind.
   */
  readonly usedOnce?: string;
  /** The place where a person can see the outcome of the call, such as "the Page's posts on Facebook". */
  readonly where: string;
}
