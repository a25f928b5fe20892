import type { Account } from '../accounts/schemas.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Table } from '../table/table.ts';

/** The outside dependencies of an at-most-once engine. The simulation passes its own implementations. */
export interface AtMostOncePorts {
  readonly table: Table;
  readonly now: Clock;
  /** Returns a random number in [0, 1). */
  readonly chance: () => number;
  /** Starts a task repeatedly, the first time after the interval. Returns a function that stops it. */
  readonly every: (milliseconds: number, task: () => Promise<void>) => () => void;
  /** Returns a text that is different on every call. */
  readonly uniqueId: () => string;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
  /**
   * Returns an access token that is valid for the next minutes; refreshes it if necessary.
   *
   * @throws PlatformError `reauthorise` if the account's owner must connect it again
   */
  readonly accessToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<string>;
  /**
   * Requests a new token because the platform refused the current one. Returns true if there is a token to try again with.
   *
   * @throws PlatformError if the request fails for now
   */
  readonly renewToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<boolean>;
  /** Marks the account, once, with the platform's reason. */
  readonly markAccount: (account: Account, status: 'expired' | 'error', reason: string) => Promise<unknown>;
  /** Marks the account as `ok`, unless it was marked again since it was read. */
  readonly clearMark: (account: Account) => Promise<unknown>;
  /** Reports an internal error to operators. The report must not contain a token. */
  readonly report: (message: string, error: unknown) => void;
}
