import type { Context } from '../api-contract/context.ts';
import { HeraldError, invalidField, notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { CreatorInfo, ReadCreatorInfo } from '../platforms/contract/creator-info.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import type { Account } from './schemas.ts';
import { findAccount } from './store.ts';

export interface CreatorInfoContext extends Context {
  readonly creatorInfoReaderFor: (platform: Platform) => ReadCreatorInfo | undefined;
  /** Returns an access token that is valid for the next minutes; refreshes it if necessary. */
  readonly accessToken: (account: Account) => Promise<string>;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/**
 * Asks the platform what an account may post now.
 *
 * @throws HeraldError `not_found`, also for disconnected and foreign accounts; `invalid` if the platform has no creator
 *   info; `conflict` if the account's owner must act first; `unavailable` if the platform gives no answer, or allows no
 *   post at the moment
 */
export async function readCreatorInfo(context: CreatorInfoContext, accountId: string): Promise<CreatorInfo> {
  const { table, workspaceId, creatorInfoReaderFor, accessToken, toolsFor } = context;
  const account = isId(accountId) ? await findAccount(table, workspaceId, accountId) : undefined;
  if (!account || account.disconnectedAt) throw notFound('account');
  const read = creatorInfoReaderFor(account.platform);
  if (!read) {
    const title = platformTitles[account.platform];
    throw invalidField('id', `must be a TikTok account: ${title} has no creator info`);
  }
  try {
    const tools = await toolsFor(account.platform);
    return await read(await accessToken(account), tools);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    switch (error.remedy) {
      case 'reauthorise':
        throw new HeraldError('conflict', `connect the account again: ${error.message}`, { cause: error });
      case 'restricted':
      case 'rejected':
        throw new HeraldError('conflict', error.message, { cause: error });
      case 'retry':
      case 'unknown':
        throw new HeraldError('unavailable', `${error.message}; try again later`, {
          cause: error,
          retryAfterSeconds: Math.ceil(error.retryAfterSeconds ?? 10),
        });
    }
  }
}
