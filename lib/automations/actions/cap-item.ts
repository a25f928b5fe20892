import type { Platform } from '../../platforms/contract/names.ts';
import { type Key, privateReplyCapKey } from '../../table/keys.ts';

/** An account at its platform. Several workspaces may have connected it: the platform counts their replies together. */
export interface PlatformAccount {
  readonly platform: Platform;
  readonly platformAccountId: string;
}

/** The key of what the account has sent in the last hour, and of which buttons the platform has refused. */
export const capKeyOf = ({ platform, platformAccountId }: PlatformAccount): Key =>
  privateReplyCapKey(platform, platformAccountId);
