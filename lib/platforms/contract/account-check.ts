import type { Json } from '../../kernel/json.ts';
import type { PublishableContent } from './rules.ts';
import type { PlatformTools } from './tools.ts';

/** The account to ask about. */
export interface AskedAccount {
  /** The platform's id of the account. */
  readonly platformAccountId: string;
  readonly meta: { readonly [key: string]: Json };
  readonly scopes?: readonly string[] | undefined;
}

/** The answer of a platform, small enough to be stored with each question. */
export type AccountFacts = { readonly [key: string]: Json };

/** A lasting reason for which a post will fail, as the platform's facts show it ahead of its time. */
export interface ForeseenFailure {
  readonly code: 'platform_rejected' | 'quota_exhausted' | 'permission_missing' | 'account_restricted';
  readonly message: string;
  /** The path inside the destination, such as `platformSpecificData.boardId`; absent if it is about the account. */
  readonly field?: string;
}

/** A cheap question about an account, hours before its posts are due. */
export interface AccountCheck {
  /** Returns false for a post that the question says nothing about. Absent: it concerns all. */
  readonly concerns?: (options: PublishableContent['options']) => boolean;
  /**
   * Asks with one request, which changes nothing at the platform.
   *
   * @param before the facts of the last answer to this authorization, at most two days old; undefined if there are none
   * @throws PlatformError `reauthorise` or `restricted` if nothing can be published on the account
   */
  readonly ask: (
    account: AskedAccount,
    accessToken: string,
    tools: PlatformTools,
    before?: AccountFacts,
  ) => Promise<AccountFacts>;
  /** Judges a post by the facts. Pure. */
  readonly judge: (facts: AccountFacts, content: PublishableContent) => ForeseenFailure[];
}
