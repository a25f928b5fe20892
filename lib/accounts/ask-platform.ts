import type { Context } from '../api-contract/context.ts';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import type { CreatorInfo, ReadCreatorInfo } from '../platforms/contract/creator-info.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import type { Playlist, ReadPlaylists } from '../platforms/contract/playlists.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import { getAccount } from './read.ts';
import type { Account } from './schemas.ts';

/** The context of a request that asks a platform whose tokens last only hours. */
interface AskContext extends Context {
  /** Returns an access token that stays valid for the next minutes; refreshes it if necessary. */
  readonly accessToken: (account: Account) => Promise<string>;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

export interface CreatorInfoContext extends AskContext {
  readonly creatorInfoReaderFor: (platform: Platform) => ReadCreatorInfo | undefined;
}

/**
 * Asks the platform what an account may post now.
 *
 * @throws HeraldError as {@link askPlatform}; `invalid` if the platform has no creator info, `unavailable` also if it allows
 *   no post at the moment
 */
export function readCreatorInfo(context: CreatorInfoContext, accountId: string): Promise<CreatorInfo> {
  return askPlatform(context, accountId, (platform) => {
    const read = context.creatorInfoReaderFor(platform);
    if (read) return read;
    throw invalidField(
      'id',
      `must be a TikTok account: ${platformTitles[platform]} has no creator info`,
      'account_platform',
    );
  });
}

export interface PlaylistsContext extends AskContext {
  readonly playlistsReaderFor: (platform: Platform) => ReadPlaylists | undefined;
}

/**
 * Returns the playlists of an account as the platform has them now.
 *
 * @throws HeraldError as {@link askPlatform}; `invalid` if the platform has no playlists
 */
export function listPlaylists(context: PlaylistsContext, accountId: string): Promise<Playlist[]> {
  return askPlatform(context, accountId, (platform) => {
    const read = context.playlistsReaderFor(platform);
    if (read) return read;
    throw invalidField(
      'id',
      `must be a YouTube account: ${platformTitles[platform]} has no playlists`,
      'account_platform',
    );
  });
}

/** A question to a platform. @throws PlatformError */
type Ask<T> = (accessToken: string, tools: PlatformTools) => Promise<T>;

/**
 * Asks the platform of an account.
 *
 * @param askFor returns the question; throws HeraldError `invalid` for an account of a platform without it
 * @throws HeraldError `not_found` as {@link getAccount}; `conflict` if the account's owner must act
 *   first; `unavailable` if the platform gives no answer for now
 */
async function askPlatform<T>(
  context: AskContext,
  accountId: string,
  askFor: (platform: Platform) => Ask<T>,
): Promise<T> {
  const { accessToken, toolsFor } = context;
  const account = await getAccount(context, accountId);
  const ask = askFor(account.platform);
  try {
    const tools = await toolsFor(account.platform);
    return await ask(await accessToken(account), tools);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    switch (error.remedy) {
      case 'reauthorise':
        throw new HeraldError('account_expired', `connect the account again: ${error.message}`, {
          cause: error,
        });
      case 'restricted':
      case 'rejected':
        throw new HeraldError('account_refused', error.message, { cause: error });
      case 'retry':
      case 'unknown':
        throw new HeraldError('platform_unavailable', `${error.message}; try again later`, {
          cause: error,
          retryAfterSeconds: Math.ceil(error.retryAfterSeconds ?? 10),
        });
    }
  }
}
