import type { PlatformTools } from './tools.ts';

/** What a platform says about an account before each post. A composer must show it and keep to it. */
export interface CreatorInfo {
  readonly nickname: string | null;
  readonly username: string | null;
  /** May stop working after a few hours. */
  readonly avatarUrl: string | null;
  /** Who can be allowed to see a post. */
  readonly privacyLevels: readonly string[];
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  /** Null if the platform names no limit. */
  readonly maxVideoSeconds: number | null;
}

/**
 * Reads what an account may post now.
 *
 * @throws PlatformError, `retry` also if the account or the app has reached a daily limit
 */
export type ReadCreatorInfo = (accessToken: string, tools: PlatformTools) => Promise<CreatorInfo>;
