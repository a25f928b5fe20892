import type { Readable } from 'node:stream';
import type { AbsenceRule, Finding, LastCall } from './last-call.ts';
import type { FetchedPicture, LinkCard } from './link-card.ts';
import type { LivePost, Preparation } from './live-post.ts';
import type { MediaType } from './names.ts';
import type { PlatformTools } from './tools.ts';

/**
 * The interface that every platform implements. An adapter knows its platform's protocol, but does not know posts,
 * tables or queues. The publishing engine does not know any platform's fields. The engine may call each method again
 * after a crash, with the `preparation` of the last committed step.
 *
 * Glossary: *prepare* does everything that has no public effect (uploads, containers, processing) and can be repeated;
 * *go live* makes the last call, which is irreversible; *look up* asks the platform for the outcome of a last call if
 * it is not known; *finish* completes a live post (first comment, thumbnail, permalink), and makes it fail only if nobody can
 * see it any more; *discard* removes an upload that was never published; *remove* deletes a live post.
 *
 * These six throw {@link PlatformError}, which says what the caller must do next.
 */
export interface PlatformAdapter {
  /**
   * Takes the next step of the preparation. The engine commits the returned preparation before it acts on it. Long
   * uploads return `continue` before `job.deadline`. Never called while the outcome of a last call is not known, so it
   * may replace a container or an upload that is no longer valid.
   *
   * Also called before each new last call, with the existing preparation: only the adapter can tell whether a container
   * or an upload is still valid.
   *
   * @throws PlatformError with the `preparation`, if any, to commit in place of the job's
   */
  prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep>;

  /**
   * Returns true if the preparation still has to send a file. That can take minutes, so separate workers do it. False
   * once a step is `ready`. Absent if the platform fetches all files itself. Pure.
   *
   * The last call and `finish` run together with other targets' work, so they may send at most 10 MiB.
   */
  sendsFile?(job: Pick<PublishJob, 'content' | 'media' | 'card' | 'options' | 'preparation'>): boolean;

  /**
   * Returns a reference to what the last call of a prepared job publishes. The engine records it with the intent. At most 1 KB.
   */
  tokenOf(job: PublishJob): Preparation;

  /** Returns how long to look for a last call of this job that leaves no trace, and whether it may then be made again. */
  absenceRule(job: PublishJob): AbsenceRule;

  /**
   * Returns the URL of the request that makes the post live, without its query. The engine opens a connection to its host
   * shortly before the due time. An upload's URL may authorize the upload, so it must never be logged.
   */
  lastCallUrl(job: PublishJob, tools: PlatformTools): string;

  /**
   * Makes the last call, which makes the post live: one request, marked as `isLastCall`. Called once per intent.
   *
   * @throws PlatformError with remedy `unknown` if the outcome is not known; with any other remedy, certainly nothing
   *   went live. Its `preparation`, if any, is committed in place of the job's
   */
  goLive(job: PublishJob, tools: PlatformTools): Promise<LivePost>;

  /** Asks the platform for the outcome of `job.call`. Changes nothing at the platform. */
  lookUp(job: IntendedJob, tools: PlatformTools): Promise<Finding>;

  /**
   * Completes a live post. A failure here becomes a warning on a published target. The adapter retries temporary
   * failures a bounded number of times, and throws only if the account's owner has to act.
   */
  finish(job: FinishJob, tools: PlatformTools): Promise<FinishStep>;

  /**
   * Removes the upload that a preparation refers to (see `uploadIdOf`), because no target publishes it any more. Can be repeated.
   * Leaves alone what has become visible in the meantime. Present if preparations of this adapter refer to an upload.
   *
   * @returns what was removed, for people; undefined if there was nothing to remove
   */
  discard?(upload: AbandonedUpload, tools: PlatformTools): Promise<string | undefined>;

  /**
   * Deletes a live post, whole. Can be repeated, also after a lost response: the post is named by its id, so a repeat deletes nothing
   * else. Absent if the platform's API deletes no posts: see `removalWay`.
   */
  removePost?(post: RemovedPost, tools: PlatformTools): Promise<Deletion>;

  /**
   * Returns true if {@link finish} would only read from the platform, such as the permalink. The engine then finishes
   * before it commits the target as live, and commits both at once. Absent means false. Pure.
   */
  finishesByReading?(job: PublishJob): boolean;
}

/** A job with a last call that was made, or was about to be made. */
export interface IntendedJob extends PublishJob {
  readonly call: LastCall;
}

/** A job with a live post. */
export interface FinishJob extends IntendedJob {
  readonly live: LivePost;
  /** Commits notes that a later attempt needs after a crash in this step, such as that a call is about to be made. */
  readonly note: (preparation: Preparation) => Promise<void>;
}

/** An upload that no target publishes any more. */
export interface AbandonedUpload extends Pick<PublishJob, 'account' | 'accessToken'> {
  /** The last preparation that referred to it. */
  readonly preparation: Preparation;
}

/** A live post to delete. */
export interface RemovedPost extends Pick<PublishJob, 'account' | 'accessToken'> {
  readonly platformPostId: string;
}

/** The outcome of a deletion: the platform has deleted the post, or does not have it any more. */
export type Deletion = 'deleted' | 'gone';

/** One target, with everything needed to publish it. */
export interface PublishJob {
  /** Herald's own reference, for platforms that store one. The same in all attempts. */
  readonly reference: string;
  readonly account: {
    readonly platformAccountId: string;
    readonly username: string | null;
    readonly meta: Preparation;
    /** The scopes that the platform has granted; absent if an earlier release connected the account. */
    readonly scopes?: readonly string[] | undefined;
  };
  readonly accessToken: string;
  readonly content: string;
  readonly media: readonly MediaSource[];
  readonly cover?: MediaSource;
  /** The card of the first link in the content. */
  readonly card?: LinkCard & {
    /** Fetches the picture; absent if the card has none. Never rejects. */
    readonly fetchPicture?: () => Promise<FetchedPicture>;
  };
  /** The id of the post that this one replies to, if it is a part of a thread after the first. Such a part has no options. */
  readonly replyTo?: string;
  /** The options in `platformSpecificData`, already checked by the platform's rules. May have unknown keys. */
  readonly options: Preparation;
  /** The result of the last committed step; `{}` before the first. */
  readonly preparation: Preparation;
  /** The due time, in epoch milliseconds. Until then, the preparation may wait for the platform; absent: it must not. */
  readonly dueMs?: number;
  /** Commits notes in the middle of a step, such as that a call is about to be made that must not be repeated. */
  readonly note?: (preparation: Preparation) => Promise<void>;
  /** True if a last call was made before, with whatever outcome: what the platform said earlier may no longer hold. */
  readonly hasEarlierCall?: boolean;
  /** The time by which the method must have returned, in epoch milliseconds. */
  readonly deadline: number;
  /** The worker that runs the methods; absent if the process lives until they are done. */
  readonly worker?: WorkerLife;
}

/**
 * The time during which the process makes progress. Afterwards Lambda freezes it, so nothing may be left running, such
 * as an upload: the other side would see a connection that hangs.
 */
export interface WorkerLife {
  /** The latest time at which the work on this job ends, in epoch milliseconds. */
  readonly endsMs: number;
  /** Fires when the work ends, which may be earlier. Abort whatever still runs then. */
  readonly ended: AbortSignal;
}

export interface MediaSource {
  /** The original's id and the SHA-256 of the bytes in hexadecimal, for the timeline. Adapters do not use them. */
  readonly mediaId?: string;
  readonly sha256?: string | undefined;
  /** The id of the file's rendition, if this is one. */
  readonly renditionId?: string;
  readonly type: MediaType;
  /** The file's alternative text in this post. */
  readonly altText?: string | undefined;
  /** A public https URL, for platforms that download the file. */
  readonly url: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** The width as displayed; absent if not known. */
  readonly widthPixels?: number | undefined;
  readonly heightPixels?: number | undefined;
  readonly durationSeconds?: number | undefined;
  /** Streams the bytes from `first` to `last`, inclusive. A file is never held in memory. */
  readonly openRange: (first: number, last: number) => Promise<Readable>;
}

export type PrepareStep =
  /**
   * Commit this and call again: immediately if time is left, else in a new invocation.
   *
   * @property isCheap true if a step that a crash lost can simply be taken again. If the next step follows at once,
   *   both are committed together
   * @property remark something about the step that its author should know, for the timeline
   */
  | {
      readonly state: 'continue';
      readonly preparation: Preparation;
      readonly isCheap?: boolean;
      readonly remark?: string;
    }
  /** Commit this and call again after the wait: the platform is still processing. */
  | { readonly state: 'waiting'; readonly preparation: Preparation; readonly waitSeconds: number }
  /** Only the last call is left. */
  | { readonly state: 'ready'; readonly preparation: Preparation };

export type FinishStep =
  | { readonly state: 'done'; readonly post: LivePost; readonly warning?: string }
  /** Nobody can see the post any more, for a reason that the platform has found only now: the target fails. */
  | { readonly state: 'lost'; readonly reason: string }
  /** Commit the known facts about the post, and call again after the wait. */
  | {
      readonly state: 'waiting';
      readonly post: LivePost;
      readonly preparation: Preparation;
      readonly waitSeconds: number;
    };
