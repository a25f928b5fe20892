import type { ForeseenFailure } from '../contract/account-check.ts';
import { readOptions } from '../shared/options.ts';
import type { CreatorStanding } from './client.ts';
import { requiredPrivacy } from './map.ts';
import { TiktokOptions } from './options.ts';

/** A post as far as the creator info can forbid it. */
interface Forbiddable {
  readonly options: Parameters<typeof readOptions>[1];
  readonly media: readonly { readonly type: string; readonly durationSeconds?: number | undefined }[];
}

/**
 * Returns why the creator info forbids a post. Pure.
 *
 * @throws PlatformError `rejected` if the options name no audience, which the rules refuse
 */
export function refusalsBy(
  { privacyLevels, maxVideoSeconds }: Pick<CreatorStanding, 'privacyLevels' | 'maxVideoSeconds'>,
  { options, media: [file] }: Forbiddable,
): ForeseenFailure[] {
  const refusals: ForeseenFailure[] = [];
  const privacyLevel = requiredPrivacy(readOptions(TiktokOptions, options));
  if (!privacyLevels.includes(privacyLevel)) {
    refusals.push({
      code: 'platform_rejected',
      message: `TikTok: this account does not allow the privacyLevel ${privacyLevel}. Allowed: ${privacyLevels.join(', ')}`,
      field: 'platformSpecificData.privacyLevel',
    });
  }
  const durationSeconds = file?.type === 'video' ? (file.durationSeconds ?? 0) : 0;
  // TikTok does not say how it rounds, so the decision about a fraction of a second is left to TikTok.
  if (maxVideoSeconds !== null && Math.floor(durationSeconds) > maxVideoSeconds) {
    refusals.push({
      code: 'platform_rejected',
      message: `TikTok: this account may post videos of at most ${maxVideoSeconds} seconds; this one lasts ${Math.floor(durationSeconds)}`,
      field: 'mediaItems[0]',
    });
  }
  return refusals;
}
