import type { Platform } from '../../lib/platforms/contract/names.ts';
import { facebookVerification } from './claims/facebook.ts';
import { instagramVerification } from './claims/instagram.ts';
import { linkedinVerification } from './claims/linkedin.ts';
import { pinterestVerification } from './claims/pinterest.ts';
import { threadsVerification } from './claims/threads.ts';
import { tiktokVerification } from './claims/tiktok.ts';
import { youtubeVerification } from './claims/youtube.ts';
import type { PlatformVerification } from './verification.ts';

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
