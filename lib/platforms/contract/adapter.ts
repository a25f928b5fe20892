import type { Readable } from 'node:stream';
import type { Json } from '../../kernel/json.ts';
import type { MediaType } from './names.ts';
import type { PlatformTools } from './tools.ts';

/**
 * The interface that every platform implements. An adapter knows its platform's protocol, but no posts, tables or
 * queues; the publishing engine knows no platform's fields. The engine may call each method again after a crash, with
 * the `preparation` of the last committed step.
 *
 * Glossary: *prepare* does everything that has no public effect (uploads, containers, processing) and can be repeated;
 * *go live* is the one irreversible call; *reconcile* finds out whether that call took effect; *finish* completes a
 * live post (first comment, thumbnail, permalink) and can never make it fail.
 *
 * All four throw {@link PlatformError}, which says what the caller must do next.
 */
export interface PlatformAdapter {
  /**
   * Takes the next step of the preparation. The engine commits the returned preparation before it acts on it.
   * Long uploads return `continue` before `job.deadline`.
   *
   * Also called before each retry of the go-live call, with the existing preparation: only the adapter can tell
   * whether a container or an upload is still valid.
   */
  prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep>;

  /** Makes the post live. Called once per intent. Throws with remedy `unknown` if the outcome is not known. */
  goLive(job: PublishJob, tools: PlatformTools): Promise<LivePost>;

  /**
   * Asks the platform whether the go-live call of the intent took effect. Changes nothing, unless sending the same post
   * again is the only way to ask the platform; the platform must then guarantee at most one post.
   */
  reconcile(job: IntendedJob, tools: PlatformTools): Promise<Reconciliation>;

  /**
   * Completes a live post. A failure here becomes a warning on a published target. The adapter retries temporary
   * failures a bounded number of times, and throws only if the account's owner has to act.
   */
  finish(job: IntendedJob & { readonly live: LivePost }, tools: PlatformTools): Promise<FinishStep>;
}

/** A job with an intent: its go-live call was about to be made, or was made, at `intentAt` (epoch milliseconds). */
export interface IntendedJob extends PublishJob {
  readonly intentAt: number;
  /** Whether another target already has this post id. For platforms where a post is recognized by its content. */
  readonly isTaken?: (platformPostId: string) => Promise<boolean>;
}

/** One target, with everything that is needed to publish it. */
export interface PublishJob {
  /** Herald's own reference, for platforms that store one. The same in all attempts. */
  readonly reference: string;
  readonly account: {
    readonly platformAccountId: string;
    readonly username: string | null;
    readonly meta: Preparation;
  };
  readonly accessToken: string;
  readonly content: string;
  readonly media: readonly MediaSource[];
  readonly cover?: MediaSource;
  /** `platformSpecificData`, already checked by the platform's rules. May have unknown keys. */
  readonly options: Preparation;
  /** The result of the last committed step; `{}` before the first. */
  readonly preparation: Preparation;
  /** Epoch milliseconds by which the verb must have returned. */
  readonly deadline: number;
}

/** JSON in the adapter's own format, such as container ids and upload sessions. Never a token. */
export type Preparation = { readonly [key: string]: Json };

export interface MediaSource {
  readonly type: MediaType;
  /** Public https URL, for platforms that download the file. */
  readonly url: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Streams the bytes from `first` to `last`, inclusive. A file is never held in memory. */
  readonly openRange: (first: number, last: number) => Promise<Readable>;
}

export type PrepareStep =
  /** Commit this and call again: immediately if time is left, else in a new invocation. */
  | { readonly state: 'continue'; readonly preparation: Preparation }
  /** Commit this and call again after the wait: the platform is still processing. */
  | { readonly state: 'waiting'; readonly preparation: Preparation; readonly waitSeconds: number }
  /** Only the go-live call is left. */
  | { readonly state: 'ready'; readonly preparation: Preparation };

export interface LivePost {
  /** Null if the platform gives the id later. */
  readonly platformPostId: string | null;
  readonly permalink: string | null;
  /** True if nothing is left to finish. */
  readonly isFinished?: boolean;
}

export type Reconciliation =
  | { readonly state: 'live'; readonly post: LivePost }
  /** Proven: nothing went live, and the old call can no longer make anything live. */
  | { readonly state: 'absent'; readonly preparation: Preparation }
  /** Too early to tell: ask again after the wait. */
  | { readonly state: 'pending'; readonly waitSeconds: number }
  /** Cannot be determined. `where` says where a person can look, such as "the channel's videos in YouTube Studio". */
  | { readonly state: 'unknown'; readonly where: string };

export type FinishStep =
  | { readonly state: 'done'; readonly post: LivePost; readonly warning?: string }
  /** Commit what is known about the post so far, and call again after the wait. */
  | {
      readonly state: 'waiting';
      readonly post: LivePost;
      readonly preparation: Preparation;
      readonly waitSeconds: number;
    };
