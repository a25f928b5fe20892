import type { ApiVersion } from '../contract/api-version.ts';
import type { Platform } from '../contract/names.ts';
import { facebookVersion } from '../facebook/version.ts';
import { instagramVersion } from '../instagram/version.ts';
import { linkedinVersion } from '../linkedin/version.ts';
import { pinterestVersion } from '../pinterest/version.ts';
import { threadsVersion } from '../threads/version.ts';
import { tiktokVersion } from '../tiktok/version.ts';
import { youtubeVersion } from '../youtube/version.ts';

/** The version of each platform's API that its adapter was written for, where the platform is built. */
export const apiVersions: Readonly<Partial<Record<Platform, ApiVersion>>> = {
  facebook: facebookVersion,
  instagram: instagramVersion,
  linkedin: linkedinVersion,
  pinterest: pinterestVersion,
  threads: threadsVersion,
  tiktok: tiktokVersion,
  youtube: youtubeVersion,
};
