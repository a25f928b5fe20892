import type { Context } from '../api-contract/context.ts';
import { invalidField } from '../kernel/errors.ts';
import type { Mention, MentionPlatform } from '../platforms/contract/mentions.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import { type PlatformAccess, withAccess } from './platform-access.ts';
import { getAccount } from './read.ts';

interface MentionsContext extends Context, PlatformAccess {
  readonly mentionPlatformFor: (platform: Platform) => MentionPlatform | undefined;
}

/**
 * Finds people and organizations that a post of the account can mention.
 *
 * @throws HeraldError `not_found` for an unknown account; `invalid` for an account that cannot look anybody up, or if the platform
 *   refuses the request; `conflict` if the account must be connected again; `unavailable` if the platform does not answer
 */
export async function findMentions(
  context: MentionsContext,
  accountId: string,
  query: string,
): Promise<Mention[]> {
  const account = await getAccount(context, accountId);
  const platform = context.mentionPlatformFor(account.platform);
  if (!platform)
    throw invalidField(
      'id',
      `must be a LinkedIn account: ${platformTitles[account.platform]} has no search for mentions`,
      'account_platform',
    );
  const lack = platform.lack(account);
  if (lack !== undefined) throw invalidField('id', lack, 'feature_missing');
  if (query === '') return [];
  return withAccess(context, account, 'id', (accessToken, tools) =>
    platform.find({ query, accessToken, account }, tools),
  );
}
