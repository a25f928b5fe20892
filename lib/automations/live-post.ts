import type { Account } from '../accounts/schemas.ts';
import { findTokens, openTokens } from '../accounts/tokens/store.ts';
import type { Vault } from '../accounts/vault.ts';
import type { Context } from '../api-contract/context.ts';
import { HeraldError } from '../kernel/errors.ts';
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
 * Whether an account has this live post: Herald published it, or the platform shows it to the account.
 *
 * @throws HeraldError `conflict` if the platform must be asked and the account must be connected again first;
 *   `unavailable` if the platform gives no answer now
 */
export async function isLivePost(
  { table, vault, toolsFor }: Context & LivePostPorts,
  account: Account,
  platform: CommentPlatform,
  platformPostId: string,
): Promise<boolean> {
  const { workspaceId, id: accountId } = account;
  if (await findLivePost(table, { workspaceId, accountId, platformPostId })) return true;
  const stored = await findTokens(table, account);
  if (!stored) throw mustReconnect('it has no access token');
  const [tokens, tools] = await Promise.all([
    openTokens(vault, account, stored.ciphertext),
    toolsFor(account.platform),
  ]);
  try {
    return await platform.postExists({ account, accessToken: tokens.accessToken, platformPostId }, tools);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    switch (error.remedy) {
      // The platform will never show this post to the account, so the account does not own it.
      case 'rejected':
        return false;
      case 'reauthorise':
      case 'restricted':
        throw mustReconnect(error.message);
      case 'retry':
      case 'unknown':
        throw new HeraldError(
          'unavailable',
          'platformPostId: the platform gives no answer about the post at the moment; try again later',
          { cause: error, retryAfterSeconds: Math.ceil(error.retryAfterSeconds ?? 10) },
        );
    }
  }
}

function mustReconnect(reason: string): HeraldError {
  return new HeraldError(
    'conflict',
    `accountId: connect the account again, so that the platform can be asked for the post: ${reason}`,
  );
}
