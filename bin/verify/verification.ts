import type { MediaSource, PlatformAdapter, PublishJob } from '../../lib/platforms/contract/adapter.ts';
import type { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { PlatformRequest } from '../../lib/platforms/contract/http.ts';
import type { Finding, LastCall } from '../../lib/platforms/contract/last-call.ts';
import type { LivePost } from '../../lib/platforms/contract/live-post.ts';
import type { MediaType } from '../../lib/platforms/contract/names.ts';
import type { DescribedMedia } from '../../lib/platforms/contract/rules.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';

/**
 * The claims about a real platform that `npm run verify` checks. The simulators behave as the documentation says or as
 * others have observed, so no test can settle these claims.
 */
export interface PlatformVerification {
  /** The steps in the order in which they run, each with its claims. */
  readonly steps: readonly VerificationStep[];
  /** The claims that the command cannot check. */
  readonly byHand: readonly (Claim & { readonly byHand: string })[];
  readonly removal: Removal;
}

/** Returns all claims about a platform, in the order of its steps. */
export const claimsOf = ({ steps, byHand }: PlatformVerification): Claim[] => [
  ...steps.flatMap(({ claims }) => claims),
  ...byHand,
];

/** A statement about a platform that Herald relies on, and that only a real account can settle. */
export interface Claim {
  /** The id, which begins with the platform's name. Never reused for another claim. */
  readonly id: string;
  /** One sentence, as in `docs/platforms/<platform>.md`. */
  readonly text: string;
  /** The observation that confirms the claim. */
  readonly expected: string;
  /** The origin of the claim: a page, an observation, or our own judgement. */
  readonly source: string;
  /** The reason why the command cannot check the claim, and how a person can. */
  readonly byHand?: string;
}

/** A claim that a step settles. */
export interface CheckedClaim<Made = unknown> extends Claim {
  /** @param made the result of the step's `act` */
  check(bench: Bench, made: Made): Observation | Promise<Observation>;
}

/** The result of a check, or the reason why it leaves its claim open; undefined if an earlier claim of the step tells why. */
export type Observation =
  | { /** True if it confirms the claim. */ readonly isTrue: boolean; readonly seen: string }
  | { readonly open: string }
  | undefined;

/** The people who can see what a step makes, until it is removed. */
export type Audience = 'nobody' | 'the account only' | "the member's connections" | 'everyone';

/** The account and the app that are verified. */
export interface VerifiedSubject {
  readonly account: PublishJob['account'];
  /** True if the platform's sandbox is used. Only their author sees its posts. */
  readonly isSandbox: boolean;
}

/**
 * One thing that the command does at the platform, announced as a whole: it acts, then checks its claims one after the
 * other. After an error, the claims that are left are not checked.
 */
export interface VerificationStep<Made = unknown> {
  /** A sentence that says what the step does. */
  readonly title: string;
  /** The file that the step publishes. It does not run without it. */
  readonly needs?: MediaType;
  readonly audience: (subject: VerifiedSubject) => Audience;
  /** Returns the reason why the step does not apply to this account; undefined if it does. */
  readonly unfit?: (subject: VerifiedSubject) => string | undefined;
  /** Every request that the step may send. Other requests are refused before they are sent. */
  readonly requests: readonly AnnouncedRequest[];
  readonly act?: (bench: Bench) => Promise<Made>;
  readonly claims: readonly CheckedClaim<Made>[];
}

export interface AnnouncedRequest {
  readonly method: PlatformRequest['method'];
  /**
   * The URL without a query. `{…}` is any one segment of the host or the path, `**` the rest of the path:
   * `https://graph.threads.net/{version}/{post}`.
   */
  readonly url: string;
  readonly atMost: number;
}

/** Something that a step made at the platform. */
export interface Made {
  /** The kind of thing, such as `post` or `board`; for the platform's own removal. */
  readonly kind: string;
  /** The id; null if the platform does not reveal it. */
  readonly id: string | null;
  /** A description for people, with the text by which they recognize it. */
  readonly title: string;
  /** The place where a person finds it. */
  readonly where: string;
}

/** The removal of the things that the steps made, at the end. */
export interface Removal {
  /** Every request that may be sent to remove one thing, with retries. */
  readonly requests: readonly AnnouncedRequest[];
  /** Removes one thing; absent if the platform's API removes nothing. @throws PlatformError if the platform refuses */
  readonly remove?: (made: Made & { readonly id: string }, bench: Bench) => Promise<void>;
  /** Instructions for a person, if the API cannot remove something. */
  readonly byHand: string;
}

/** The content that a step publishes. */
export type VerifiedPost = Pick<PublishJob, 'content' | 'media' | 'options'>;

/** One of the operator's files. */
export interface VerifiedFile {
  readonly source: MediaSource;
  readonly described: DescribedMedia;
}

/** A post that a step has made. */
export interface VerifiedLivePost {
  /** The job, with the preparation of the last call. */
  readonly job: PublishJob;
  readonly post: LivePost;
  /** The record of the call, as for a lookup. */
  readonly call: LastCall;
  /** The time from the end of the last call until the platform said that the post is live, in seconds. */
  readonly processedSeconds: number;
}

/** The tools and data that a step works with. */
export interface Bench extends VerifiedSubject {
  readonly adapter: PlatformAdapter;
  readonly accessToken: string;
  /** Tools that refuse requests that were not announced. */
  readonly tools: PlatformTools;
  /** A word that is different in each run. Every text that a step publishes contains it. */
  readonly mark: string;
  /** Returns the operator's file. @throws Error unless the step needs it */
  file(type: MediaType): VerifiedFile;
  /** Publishes a post through the adapter, as a worker would, and notes that it was made. @throws PlatformError */
  publish(post: VerifiedPost): Promise<VerifiedLivePost>;
  /** Looks the post up as if the response to its last call had been lost. @param token replaces parts of the record */
  lookUp(live: VerifiedLivePost, token?: LastCall['token']): Promise<Finding>;
  /**
   * Makes a call that publishes something a second time. If it succeeds, notes the result.
   * @returns the platform's refusal; undefined if the call succeeded
   * @throws PlatformError if the platform did not answer the call, such as after a timeout or a rate limit
   */
  again(live: VerifiedLivePost, call: () => Promise<string | null>): Promise<PlatformError | undefined>;
  /** Notes a thing that must be removed at the end. */
  made(thing: Made): void;
  /** Repeats a read until it returns a value, for at most `seconds`. */
  poll<T>(seconds: number, read: () => Promise<T | undefined>): Promise<Polled<T>>;
}

export interface Polled<T> {
  /** The value; undefined if the time ended first. */
  readonly value: T | undefined;
  readonly seconds: number;
}
