import { dayMs } from '../../kernel/clock.ts';
import type { Platform } from './names.ts';

/** One version of a platform's API. */
export interface ApiVersion {
  readonly name: string;
  /** The day (ISO 8601) from which the platform no longer serves the version; absent if none is announced. */
  readonly sunsetOn?: string;
}

/** A version that an adapter is written for. */
export interface DescribedVersion extends ApiVersion {
  /** The day of the description in use: of the version, or of the last change of it that the adapter follows. */
  readonly describedOn: string;
  /** The page on which the platform announces newer versions and changes. */
  readonly announcedAt: string;
}

/** The version of each platform's API that its adapter is written for. */
export const apiVersions: Readonly<Record<Platform, DescribedVersion>> = {
  facebook: {
    name: 'v25.0',
    describedOn: '2026-02-18',
    announcedAt: 'https://developers.facebook.com/docs/graph-api/changelog',
    sunsetOn: '2028-07-29',
  },
  // The Graph API's versions; the changelog of Instagram says what concerns it.
  instagram: {
    name: 'v25.0',
    describedOn: '2026-02-18',
    announcedAt: 'https://developers.facebook.com/docs/instagram-platform/changelog',
    sunsetOn: '2028-07-29',
  },
  // "Versioning": LinkedIn serves a version for a year; after that every call fails with 426.
  linkedin: {
    name: '202609',
    describedOn: '2026-09-01',
    announcedAt: 'https://learn.microsoft.com/en-us/linkedin/marketing/integrations/recent-changes',
    sunsetOn: '2027-09-15',
  },
  // REST API v5 is the only version. The day is that of the OpenAPI description 5.23.0, the last public one.
  pinterest: {
    name: 'v5',
    describedOn: '2025-12-11',
    announcedAt: 'https://github.com/pinterest/api-description/releases',
  },
  // Threads API: v1.0 is its only version, apart from those of the Graph API.
  threads: {
    name: 'v1.0',
    describedOn: '2026-08-01',
    announcedAt: 'https://developers.facebook.com/docs/threads/changelog',
  },
  // TikTok's APIs for developers: v2 is the only version, and no sunset is announced.
  tiktok: {
    name: 'v2',
    describedOn: '2026-11-02',
    announcedAt: 'https://developers.tiktok.com/doc/changelog',
  },
  // YouTube Data API: v3 is undated. The day is that of the discovery document's revision.
  youtube: {
    name: 'v3',
    describedOn: '2026-09-24',
    announcedAt: 'https://developers.google.com/youtube/v3/revision_history',
  },
};

/** The number of days before a version's sunset at which the warnings to operators begin. */
const warningDays = 90;

/** The number of days before a version's sunset at which the workspaces with accounts of the platform are told. */
export const noticeDays = 60;

/** The settings of a stage for the version of a platform's API. */
export interface ChosenVersion {
  readonly apiVersion?: string | undefined;
  readonly apiVersionSunsetOn?: string | undefined;
}

/** Returns the version that a stage uses: its own choice, or the one that the adapter is written for. Pure. */
export function versionInUse(
  platform: Platform,
  { apiVersion: name, apiVersionSunsetOn: sunsetOn }: ChosenVersion,
): ApiVersion {
  if (name === undefined) return apiVersions[platform];
  return { name, ...(sunsetOn !== undefined && { sunsetOn }) };
}

/** Returns the number of days, rounded up, for which a version is still served; 0 or less once it has ended. Pure. */
export const daysLeft = (sunsetOn: string, now: number): number =>
  Math.ceil((Date.parse(sunsetOn) - now) / dayMs);

/**
 * Returns the warning for operators if a version ends within 90 days or has ended; undefined otherwise. Pure.
 *
 * @param now epoch milliseconds
 */
export function sunsetWarning(
  platform: string,
  { name, sunsetOn }: ApiVersion,
  now: number,
): string | undefined {
  if (sunsetOn === undefined) return undefined;
  const days = daysLeft(sunsetOn, now);
  if (days > warningDays) return undefined;
  return days > 0
    ? `${platform} serves version ${name} of its API for ${days} more day${days === 1 ? '' : 's'}, until ${sunsetOn}`
    : `${platform} no longer serves version ${name} of its API, since ${sunsetOn}`;
}
