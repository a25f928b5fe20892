import * as z from 'zod';
import {
  type Feature,
  namesOf,
  type PlatformFeatures,
  requestedFeatures,
  type StageFeatures,
} from '../contract/features.ts';
import type { AccountKind, Platform } from '../contract/names.ts';
import { platformNames } from '../contract/names.ts';
import { facebookFeatures } from '../facebook/features.ts';
import { instagramFeatures } from '../instagram/features.ts';
import {
  isOfMemberApp,
  linkedinMemberFeatures,
  linkedinOrganizationFeatures,
  linkedinPartnerMemberFeatures,
} from '../linkedin/features.ts';
import { pinterestFeatures } from '../pinterest/features.ts';
import { threadsFeatures } from '../threads/features.ts';
import { tiktokFeatures } from '../tiktok/features.ts';
import { youtubeFeatures } from '../youtube/features.ts';

const features: Readonly<Record<Platform, PlatformFeatures>> = {
  facebook: facebookFeatures,
  instagram: instagramFeatures,
  linkedin: linkedinMemberFeatures,
  pinterest: pinterestFeatures,
  threads: threadsFeatures,
  tiktok: tiktokFeatures,
  youtube: youtubeFeatures,
};

/**
 * Returns a platform's features.
 *
 * @param as the kind of account; only LinkedIn's two kinds differ in their scopes
 * @param scopes the scopes of the account, which tell LinkedIn's two apps for members apart
 */
export function featuresFor(
  platform: Platform,
  as?: AccountKind,
  scopes?: readonly string[],
): PlatformFeatures {
  if (platform !== 'linkedin') return features[platform];
  if (as === 'organization') return linkedinOrganizationFeatures;
  return scopes === undefined || isOfMemberApp(scopes)
    ? linkedinMemberFeatures
    : linkedinPartnerMemberFeatures;
}

/** Returns the features that accounts of any kind can have on a platform. */
const allNames = (platform: Platform): Feature[] => [...new Set(tablesOf(platform).flatMap(namesOf))];

const tablesOf = (platform: Platform): readonly PlatformFeatures[] =>
  platform === 'linkedin'
    ? [linkedinMemberFeatures, linkedinPartnerMemberFeatures, linkedinOrganizationFeatures]
    : [features[platform]];

/** Returns the features that are usual on each platform and, where a platform has them, these. */
export const usualFeaturesWith = (more: readonly Feature[]): StageFeatures =>
  Object.fromEntries(
    platformNames.map((platform) => {
      const usual = tablesOf(platform).flatMap((table) => requestedFeatures(table));
      const wanted = [...usual, ...more];
      return [platform, allNames(platform).filter((name) => wanted.includes(name))];
    }),
  );

/**
 * Reads an operator's choice of features, such as `{"instagram":["publish","comments"]}`.
 *
 * @throws Error that names the first unknown platform or feature, and the known ones
 */
export function readStageFeatures(value: unknown): StageFeatures {
  const chosen = z.record(z.string(), z.array(z.string())).parse(value);
  const read: Partial<Record<Platform, Feature[]>> = {};
  for (const [name, list] of Object.entries(chosen)) {
    const platform = platformNames.find((known) => known === name);
    if (platform === undefined) {
      throw new Error(`features: unknown platform ${name}: use ${platformNames.join(', ')}`);
    }
    const known = allNames(platform);
    read[platform] = list.map((wanted) => {
      const feature = known.find((one) => one === wanted);
      if (feature !== undefined) return feature;
      throw new Error(`features.${platform}: unknown feature ${wanted}: ${platform} has ${known.join(', ')}`);
    });
  }
  return read;
}
