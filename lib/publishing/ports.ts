import type { Account } from '../accounts/schemas.ts';
import type { Clock } from '../kernel/clock.ts';
import type { MediaReference } from '../media/schemas.ts';
import type { MediaSource, PlatformAdapter } from '../platforms/contract/adapter.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformRules } from '../platforms/contract/rules.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Table } from '../table/table.ts';
import type { Target } from '../targets/schemas.ts';
import type { PublishMessage } from './message.ts';

/** What the publishing engine is given of the world. The simulation gives it another one. */
export interface PublishingPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A number in [0, 1). */
  readonly chance: () => number;
  /** A text that no other call gets. */
  readonly uniqueId: () => string;
  readonly adapterFor: (platform: Platform) => PlatformAdapter;
  readonly rulesFor: (platform: Platform) => PlatformRules | undefined;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
  /**
   * A token that is good for the next minutes, refreshed where it has to be.
   *
   * @throws PlatformError `reauthorise` where the account's owner must connect it again
   */
  readonly accessToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<string>;
  /**
   * Asks for a new token because the platform refused the present one. Whether there is one to try with.
   *
   * @throws PlatformError where that cannot be told now
   */
  readonly renewToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<boolean>;
  readonly mediaSource: (reference: MediaReference, stored: StoredMedia) => MediaSource;
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  /** Told of the target that a worker has taken, with the number of its attempt, before anything is done for it. */
  readonly taken?: (target: Target) => void;
  /** Puts a message among the dead letters, where operators hear of it. */
  readonly setAside: (message: PublishMessage) => Promise<void>;
  /** Tells operators of an error of our own; never of a token. */
  readonly report: (message: string, error: unknown) => void;
  /** Marks the account, once, with the platform's reason. */
  readonly markAccount: (account: Account, status: 'expired' | 'error', reason: string) => Promise<unknown>;
}

/** What is known of a file, where it has arrived. */
export interface StoredMedia {
  readonly contentType: string;
  readonly sizeBytes?: number | undefined;
}
