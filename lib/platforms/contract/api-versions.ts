import { dayMs } from '../../kernel/clock.ts';
import type { Platform } from './names.ts';

/** One version of a platform's API. */
export interface ApiVersion {
  readonly name: string;
  /** The day (ISO 8601) from which the platform no longer serves the version; absent if none is announced. */
  readonly sunsetOn?: string;
}

/** The version of each platform's API that its adapter is written for. */
export const apiVersions: Readonly<Record<Platform, ApiVersion>> = {
  // Graph API changelog: v25.0 of 18 February 2026.
  facebook: { name: 'v25.0', sunsetOn: '2028-07-29' },
  instagram: { name: 'v25.0', sunsetOn: '2028-07-29' },
  // "Versioning": LinkedIn serves a version for a year; after that every call fails with 426.
  linkedin: { name: '202609', sunsetOn: '2027-09-15' },
  // REST API v5: the only version; changes within it are announced in its changelog.
  pinterest: { name: 'v5' },
  // Threads API: v1.0 is its only version, apart from those of the Graph API.
  threads: { name: 'v1.0' },
  // TikTok's APIs for developers: v2 is the only version, and no sunset is announced.
  tiktok: { name: 'v2' },
  // YouTube Data API: v3 is undated; changes are announced in its Revision History.
  youtube: { name: 'v3' },
};

/** The number of days before a version's sunset at which the warnings to operators begin. */
const warningDays = 60;

/**
 * Returns the warning for operators if a version ends within 60 days or has ended; undefined otherwise. Pure.
 *
 * @param now epoch milliseconds
 */
export function sunsetWarning(
  platform: string,
  { name, sunsetOn }: ApiVersion,
  now: number,
): string | undefined {
  if (sunsetOn === undefined) return undefined;
  const daysLeft = Math.ceil((Date.parse(sunsetOn) - now) / dayMs);
  if (daysLeft > warningDays) return undefined;
  return daysLeft > 0
    ? `${platform} serves version ${name} of its API for ${daysLeft} more day${daysLeft === 1 ? '' : 's'}, until ${sunsetOn}`
    : `${platform} no longer serves version ${name} of its API, since ${sunsetOn}`;
}
