import type { Readable } from 'node:stream';
import type { Json } from '../../kernel/json.ts';
import type { MediaType } from './names.ts';
import type { PlatformTools } from './tools.ts';

/**
 * What every platform meets. An adapter knows its platform's protocol and nothing of posts, tables or queues; the
 * publishing engine knows none of a platform's fields. Each verb may be called again after a crash, with what the
 * last committed step left in `preparation`.
 *
 * Glossary: to *prepare* is to do all that has no public effect (uploads, containers, processing), repeatably; to
 * *go live* is the one irreversible call; to *reconcile* is to find out whether that call took effect; to *finish*
 * is what follows a live post (first comment, thumbnail, permalink) and can never make it fail.
 *
 * All four throw {@link PlatformError}, which says what the caller must do next.
 */
export interface PlatformAdapter {
  /**
   * Takes the next step of the preparation. The engine commits the returned preparation before it acts on it.
   * Long uploads return `continue` before `job.deadline`.
   *
   * Also called before each further attempt at the last call, with what is there: only the adapter can tell whether
   * a container or an upload still stands.
   */
  prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep>;

  /** Makes the post live. Called once per intent; where the outcome is not known it throws remedy `unknown`. */
  goLive(job: PublishJob, tools: PlatformTools): Promise<LivePost>;

  /**
   * Asks the platform whether the go-live call of the intent took effect. It changes nothing, but for a platform that
   * can be asked in no other way than by sending the same post again, which then has to be safe: one post at most.
   */
  reconcile(job: IntendedJob, tools: PlatformTools): Promise<Reconciliation>;

  /**
   * Completes a live post. What fails here is a warning on a published target: the adapter waits out what passes, a
   * bounded number of times, and throws only where the account's owner has to act.
   */
  finish(job: IntendedJob & { readonly live: LivePost }, tools: PlatformTools): Promise<FinishStep>;
}

/** A job whose last call was about to be made, or was made, at `intentAt` (epoch milliseconds). */
export interface IntendedJob extends PublishJob {
  readonly intentAt: number;
  /** Whether another target already holds this id, for platforms where a post is found by its looks. */
  readonly isTaken?: (platformPostId: string) => Promise<boolean>;
}

/** One target, with all that is needed to publish it. */
export interface PublishJob {
  /** Herald's own reference, for platforms that keep one; the same over all attempts. */
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
  /** `platformSpecificData`, checked by the platform's rules; unknown keys are left alone. */
  readonly options: Preparation;
  /** What earlier steps left; `{}` at first. */
  readonly preparation: Preparation;
  /** Epoch milliseconds by which the verb must have returned. */
  readonly deadline: number;
}

/** Free JSON of the adapter's own: container ids, upload sessions. Never a token. */
export type Preparation = { readonly [key: string]: Json };

export interface MediaSource {
  readonly type: MediaType;
  /** Public https address, for platforms that fetch. */
  readonly url: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** The bytes from `first` to `last`, both included, as a stream: no file is ever held in memory. */
  readonly openRange: (first: number, last: number) => Promise<Readable>;
}

export type PrepareStep =
  /** Commit this and call again: at once if time is left, else in a fresh invocation. */
  | { readonly state: 'continue'; readonly preparation: Preparation }
  /** Commit this and call again after the wait: the platform is working. */
  | { readonly state: 'waiting'; readonly preparation: Preparation; readonly waitSeconds: number }
  /** Nothing is left but the last call. */
  | { readonly state: 'ready'; readonly preparation: Preparation };

export interface LivePost {
  /** Null where the platform gives the id later. */
  readonly platformPostId: string | null;
  readonly permalink: string | null;
  /** Nothing is left to finish. */
  readonly isFinished?: boolean;
}

export type Reconciliation =
  | { readonly state: 'live'; readonly post: LivePost }
  /** Proven: nothing went live, and nothing of the old call can still go live. */
  | { readonly state: 'absent'; readonly preparation: Preparation }
  /** Too early to tell: ask again after the wait. */
  | { readonly state: 'pending'; readonly waitSeconds: number }
  /** Cannot be told. `where` names the place a person can look, such as "the channel's videos in YouTube Studio". */
  | { readonly state: 'unknown'; readonly where: string };

export type FinishStep =
  | { readonly state: 'done'; readonly post: LivePost; readonly warning?: string }
  /** Commit what is known of the post so far, and call again after the wait. */
  | {
      readonly state: 'waiting';
      readonly post: LivePost;
      readonly preparation: Preparation;
      readonly waitSeconds: number;
    };
