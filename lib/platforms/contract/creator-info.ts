import type { PlatformTools } from './tools.ts';

/** The data of an account that TikTok requires a composer to show, and to keep to, before each post. */
export interface CreatorInfo {
  readonly nickname: string | null;
  readonly username: string | null;
  /** The avatar's URL, which may stop working after a few hours. */
  readonly avatarUrl: string | null;
  /** The audiences that a post can be given. */
  readonly privacyLevels: readonly string[];
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  /** Null if the platform gives no limit. */
  readonly maxVideoSeconds: number | null;
}

/**
 * Reads what an account may post now.
 *
 * @throws PlatformError, `retry` also if the account or the app has reached a daily limit
 */
export type ReadCreatorInfo = (accessToken: string, tools: PlatformTools) => Promise<CreatorInfo>;
