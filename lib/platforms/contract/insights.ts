import * as z from 'zod';
import type { PublishJob } from './adapter.ts';
import type { AccountKind } from './names.ts';
import type { PlatformTools } from './tools.ts';

/** The numbers of a post. Platforms count different things under such names; their own names say which. */
export const PostNumber = z
  .enum(['views', 'reach', 'likes', 'comments', 'shares', 'saves', 'clicks'])
  .meta({ id: 'MetricName' });
export type PostNumber = z.infer<typeof PostNumber>;

/** The numbers of an account on a day. `followers` is a total, the others are of the day. */
export const AccountNumber = z
  .enum(['followers', 'views', 'reach', 'interactions', 'profileViews', 'clicks'])
  .meta({ id: 'AccountMetricName' });
export type AccountNumber = z.infer<typeof AccountNumber>;

/** The platform's own names of its numbers. A number without one does not exist there. */
export type NamesOf<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Reasons for a missing number that the platform has. */
export type MissingNumber = 'pending' | 'withheld';

/** Numbers: each a whole number, or the reason that there is none. One that the platform does not have is left out. */
export type NumbersOf<Name extends string> = Readonly<Partial<Record<Name, number | MissingNumber>>>;

/** The kind of a post or an account, as far as it decides which numbers there are. */
export interface Counted {
  readonly isStory?: boolean | undefined;
  readonly as?: AccountKind | undefined;
}

/** Data about the numbers of a platform, without the means to read them. */
export interface PlatformNumbers {
  ofPost(kind: Counted): NamesOf<PostNumber>;
  ofAccount(kind: Counted): NamesOf<AccountNumber>;
  /**
   * Returns the time for which the platform's terms allow its numbers to be kept, in days; 0: not at all; `undefined`: they name no
   * time.
   */
  keptDays(kind: Counted): number | undefined;
}

/** A live post, as a reader needs it. */
export interface AskedPost {
  readonly platformPostId: string;
  /** Epoch milliseconds. */
  readonly publishedMs: number;
  readonly isStory: boolean;
}

export interface InsightsRequest {
  readonly account: PublishJob['account'];
  readonly accessToken: string;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

/** The numbers of a post, or that it no longer exists at the platform. */
export type PostReading = NumbersOf<PostNumber> | 'gone';

/** Reads the numbers of posts and accounts of one platform. All calls only read, and can be repeated. */
export interface PlatformInsights {
  /** The most posts of one {@link readPosts}. */
  readonly postsPerRead: number;

  /**
   * Reads the numbers of several posts of an account, by their ids at the platform. A post that is not in the answer was not read: it
   * is asked for again later.
   *
   * @throws PlatformError if the platform answers for none of them
   */
  readPosts(
    posts: readonly AskedPost[],
    request: InsightsRequest,
    tools: PlatformTools,
  ): Promise<ReadonlyMap<string, PostReading>>;

  /**
   * Reads the account's numbers of the given days. Totals such as `followers` are of today only.
   *
   * @param days as `YYYY-MM-DD`, oldest first; the last one is today
   * @throws PlatformError
   */
  readAccount(
    days: readonly string[],
    request: InsightsRequest,
    tools: PlatformTools,
  ): Promise<ReadonlyMap<string, NumbersOf<AccountNumber>>>;
}
