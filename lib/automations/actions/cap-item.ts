import type { Platform } from '../../platforms/contract/names.ts';
import { type Key, privateReplyCapKey } from '../../table/keys.ts';

/** An account at its platform. If several workspaces have connected it, the platform counts their replies together. */
export interface PlatformAccount {
  readonly platform: Platform;
  readonly platformAccountId: string;
}

/** Returns the key of the account's private replies in the last hour and the buttons that the platform has refused. */
export const capKeyOf = ({ platform, platformAccountId }: PlatformAccount): Key =>
  privateReplyCapKey(platform, platformAccountId);
