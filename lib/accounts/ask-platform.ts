import type { Context } from '../api-contract/context.ts';
import { HeraldError } from '../kernel/errors.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformTools } from '../platforms/contract/tools.ts';
import { getAccount } from './read.ts';
import type { Account } from './schemas.ts';

/** The context of a request that asks a platform whose tokens last only hours. */
export interface AskContext extends Context {
  /** Returns an access token that stays valid for the next minutes; refreshes it if necessary. */
  readonly accessToken: (account: Account) => Promise<string>;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/** A question to a platform. @throws PlatformError */
export type Ask<T> = (accessToken: string, tools: PlatformTools) => Promise<T>;

/**
 * Asks the platform of an account.
 *
 * @param askFor returns the question; throws HeraldError `invalid` for an account of a platform without it
 * @throws HeraldError `not_found` as {@link getAccount}; `conflict` if the account's owner must act
 *   first; `unavailable` if the platform gives no answer for now
 */
export async function askPlatform<T>(
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
