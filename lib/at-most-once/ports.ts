import type { Account } from '../accounts/schemas.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Table } from '../table/table.ts';

/** What an engine that makes calls at most once is given of the world. The simulation gives it another one. */
export interface AtMostOncePorts {
  readonly table: Table;
  readonly now: Clock;
  /** A number in [0, 1). */
  readonly chance: () => number;
  /** A text that no other call gets. */
  readonly uniqueId: () => string;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
  /**
   * A token that is good for the next minutes, refreshed if it has to be.
   *
   * @throws PlatformError `reauthorise` if the account's owner must connect it again
   */
  readonly accessToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<string>;
  /**
   * Asks for a new token because the platform refused the present one. Whether there is one to try with.
   *
   * @throws PlatformError if that cannot be told now
   */
  readonly renewToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<boolean>;
  /** Marks the account, once, with the platform's reason. */
  readonly markAccount: (account: Account, status: 'expired' | 'error', reason: string) => Promise<unknown>;
  /** Tells operators of an error of our own; never of a token. */
  readonly report: (message: string, error: unknown) => void;
}
