import { invalidField } from '../kernel/errors.ts';
import type { CreatorInfo, ReadCreatorInfo } from '../platforms/contract/creator-info.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import { type AskContext, askPlatform } from './ask-platform.ts';

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
