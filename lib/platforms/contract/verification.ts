import type { MediaSource, PlatformAdapter, PublishJob } from './adapter.ts';
import type { PlatformError } from './errors.ts';
import type { PlatformRequest } from './http.ts';
import type { Finding, LastCall } from './last-call.ts';
import type { LivePost } from './live-post.ts';
import type { MediaType } from './names.ts';
import type { DescribedMedia } from './rules.ts';
import type { PlatformTools } from './tools.ts';

/**
 * What `npm run verify` checks at a real platform. The simulators behave as the documentation says or as others have
 * observed, so no test can settle these claims.
 */
export interface PlatformVerification {
  readonly claims: readonly Claim[];
  /** In the order in which they run. */
  readonly steps: readonly VerificationStep[];
  readonly removal: Removal;
}

/** A statement about a platform that Herald relies on, and that only a real account can settle. */
export interface Claim {
  /** Begins with the platform's name. Not used again for another claim. */
  readonly id: string;
  /** One sentence, as in `docs/platforms/<platform>.md`. */
  readonly text: string;
  /** What the check must see for the claim to be confirmed. */
  readonly expected: string;
  /** Where the claim comes from: a page, an observation, or our own judgement. */
  readonly source: string;
  /** Why the command cannot check the claim, and how a person can. */
  readonly byHand?: string;
}

/** Who can see what a step makes, until it is removed. */
export type Audience = 'nobody' | 'the account only' | "the member's connections" | 'everyone';

/** The account and the app that are verified. */
export interface VerifiedSubject {
  readonly account: PublishJob['account'];
  /** The platform's sandbox is used, whose posts only their author sees. */
  readonly isSandbox: boolean;
}

/** One thing that the command does at the platform. It is announced as a whole, and settles some claims. */
export interface VerificationStep {
  /** What the step does, as a sentence. */
  readonly title: string;
  /** The files that it publishes. Without one of them, it does not run. */
  readonly needs?: readonly MediaType[];
  readonly audience: (subject: VerifiedSubject) => Audience;
  /** The claims that it settles. */
  readonly claims: readonly string[];
  /** Why the step does not apply to this account; undefined if it does. */
  readonly unfit?: (subject: VerifiedSubject) => string | undefined;
  /** Every request that the step may send. Any other is refused before it is sent. */
  readonly requests: readonly AnnouncedRequest[];
  /** Calls `bench.settle` for its claims. Claims that it leaves open, for example because it throws, are not checked. */
  run(bench: Bench): Promise<void>;
}

export interface AnnouncedRequest {
  readonly method: PlatformRequest['method'];
  /**
   * Without a query. `{…}` is any one segment of the host or the path, `**` the rest of the path:
   * `https://graph.threads.net/{version}/{post}`.
   */
  readonly url: string;
  readonly atMost: number;
}

/** Something that a step made at the platform. */
export interface Made {
  /** Such as `post` or `board`; for the platform's own removal. */
  readonly kind: string;
  /** Null if the platform does not reveal the id. */
  readonly id: string | null;
  /** For people: what it is, and the text by which it can be recognized. */
  readonly title: string;
  /** Where a person finds it. */
  readonly where: string;
}

/** How the things that the steps made are removed at the end. */
export interface Removal {
  /** Every request that may be sent to remove one thing, with retries. */
  readonly requests: readonly AnnouncedRequest[];
  /** Absent if the platform's API removes nothing. @throws PlatformError if the platform refuses */
  readonly remove?: (made: Made & { readonly id: string }, bench: Bench) => Promise<void>;
  /** What a person does if the API cannot remove something. */
  readonly byHand: string;
}

/** What a step publishes. */
export type VerifiedPost = Pick<PublishJob, 'content' | 'media' | 'options'>;

/** A file of the operator. */
export interface VerifiedFile {
  readonly source: MediaSource;
  readonly described: DescribedMedia;
}

/** A post that a step has made. */
export interface VerifiedLivePost {
  /** With the preparation of the last call. */
  readonly job: PublishJob;
  readonly post: LivePost;
  /** What the call was recorded with, as for a lookup. */
  readonly call: LastCall;
  /** From the end of the last call until the platform said that the post is live, in seconds. */
  readonly processedSeconds: number;
}

/** What a step works with. */
export interface Bench extends VerifiedSubject {
  readonly adapter: PlatformAdapter;
  readonly accessToken: string;
  /** Refuses requests that were not announced. */
  readonly tools: PlatformTools;
  /** A word that is different in each run. Every text that a step publishes contains it. */
  readonly mark: string;
  /** The operator's file. @throws Error unless the step needs it */
  file(type: MediaType): VerifiedFile;
  /** Publishes a post by the adapter, as a worker would, and notes that it was made. @throws PlatformError */
  publish(post: VerifiedPost): Promise<VerifiedLivePost>;
  /** Looks the post up as if the response to its last call had been lost. @param token replaces parts of the record */
  lookUp(live: VerifiedLivePost, token?: LastCall['token']): Promise<Finding>;
  /**
   * Makes a call that publishes something a second time. If it succeeds, what it made is noted.
   * @returns the platform's refusal; undefined if the call succeeded
   * @throws PlatformError if there was no answer to it, such as after a timeout or a rate limit
   */
  again(live: VerifiedLivePost, call: () => Promise<string | null>): Promise<PlatformError | undefined>;
  /** Notes what must be removed at the end. */
  made(thing: Made): void;
  /** Records what was seen. @param isTrue whether the claim is confirmed */
  settle(claim: string, isTrue: boolean, seen: string): void;
  /** Leaves a claim open. */
  leave(claim: string, reason: string): void;
  /** Repeats a read until it returns a value, for `seconds` at most. */
  poll<T>(seconds: number, read: () => Promise<T | undefined>): Promise<Polled<T>>;
}

export interface Polled<T> {
  /** Undefined if the time ended first. */
  readonly value: T | undefined;
  readonly seconds: number;
}
