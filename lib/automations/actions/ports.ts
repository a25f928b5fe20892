import type { Account } from '../../accounts/schemas.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { CommentPlatform } from '../../platforms/contract/messaging.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import type { Table } from '../../table/table.ts';
import type { AutomationMessage } from '../schemas.ts';

/** What the engine of automations is given of the world. */
export interface ActPorts {
  readonly table: Table;
  readonly now: Clock;
  /** A number in [0, 1). */
  readonly chance: () => number;
  /** A text that no other call gets. */
  readonly uniqueId: () => string;
  /** Where people reach the redirect, without a final slash. */
  readonly publicBaseUrl: string;
  readonly commentPlatformFor: (platform: Platform) => CommentPlatform | undefined;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
  /** A token that is good for the next minutes. @throws PlatformError */
  readonly accessToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<string>;
  /** Asks for a new token because the platform refused the present one. Whether there is one to try with. */
  readonly renewToken: (
    account: Account,
    tokensItem: Record<string, unknown> | undefined,
  ) => Promise<boolean>;
  /** Marks the account, once, with the platform's reason. */
  readonly markAccount: (account: Account, status: 'expired' | 'error', reason: string) => Promise<unknown>;
  readonly enqueue: (message: AutomationMessage, delaySeconds: number) => Promise<void>;
  /** Tells operators of an error of our own; never of a token. */
  readonly report: (message: string, error: unknown) => void;
  /** In place of the platform's own cap. */
  readonly privateRepliesPerHour?: number;
}
