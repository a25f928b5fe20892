import type { Platform } from '../contract/names.ts';
import type { PlatformVerification } from '../contract/verification.ts';
import { facebookVerification } from '../facebook/verification.ts';
import { instagramVerification } from '../instagram/verification.ts';
import { linkedinVerification } from '../linkedin/verification.ts';
import { pinterestVerification } from '../pinterest/verification.ts';
import { threadsVerification } from '../threads/verification.ts';
import { tiktokVerification } from '../tiktok/verification.ts';
import { youtubeVerification } from '../youtube/verification.ts';

/** The checks of `npm run verify` for each platform. */
export const verifications: Readonly<Record<Platform, PlatformVerification>> = {
  facebook: facebookVerification,
  instagram: instagramVerification,
  linkedin: linkedinVerification,
  pinterest: pinterestVerification,
  threads: threadsVerification,
  tiktok: tiktokVerification,
  youtube: youtubeVerification,
};
