import { withAccess } from '../accounts/platform-access.ts';
import type { Account } from '../accounts/schemas.ts';
import type { Vault } from '../accounts/vault.ts';
import type { Context } from '../api-contract/context.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { CommentPlatform } from '../platforms/contract/messaging.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import { findLivePost } from '../targets/live-posts.ts';

export interface LivePostPorts {
  readonly vault: Vault;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/**
 * Returns true if an account has this live post: Herald published it, or the platform shows it to the account.
 *
 * @throws HeraldError `conflict` if the platform must be asked and the account must be connected again first; `unavailable` if
 *   the platform gives no answer now
 */
export async function isLivePost(
  context: Context & LivePostPorts,
  account: Account,
  platform: CommentPlatform,
  platformPostId: string,
): Promise<boolean> {
  const { workspaceId, id: accountId } = account;
  if (await findLivePost(context.table, { workspaceId, accountId, platformPostId })) return true;
  return withAccess(context, account, 'accountId', async (accessToken, tools) => {
    try {
      return await platform.postExists({ account, accessToken, platformPostId }, tools);
    } catch (error) {
      // The platform will never show this post to the account, so the account does not own it.
      if (error instanceof PlatformError && error.remedy === 'rejected') return false;
      throw error;
    }
  });
}
