import { dayMs } from '../../kernel/clock.ts';
import type { Platform } from './names.ts';

/** The version of a platform's API that an adapter was written for. */
export interface ApiVersion {
  readonly name: string;
  /** The day (ISO 8601) from which the platform no longer serves it; absent if none is announced. */
  readonly sunsetOn?: string;
}

/** The version of each platform's API that its adapter was written for. */
export const apiVersions: Readonly<Record<Platform, ApiVersion>> = {
  // Graph API changelog: v25.0 of 18 February 2026.
  facebook: { name: 'v25.0', sunsetOn: '2028-07-29' },
  instagram: { name: 'v25.0', sunsetOn: '2028-07-29' },
  // "Versioning": a version is served for a year; after that every call answers 426.
  linkedin: { name: '202609', sunsetOn: '2027-09-15' },
  // REST API v5: the only version; changes within it are announced in its changelog.
  pinterest: { name: 'v5' },
  // Threads API: v1.0 is its only version, apart from those of the Graph API.
  threads: { name: 'v1.0' },
  // TikTok's APIs for developers: v2 is the only one, and no end of it is announced.
  tiktok: { name: 'v2' },
  // YouTube Data API: v3 is undated; changes are announced in its Revision History.
  youtube: { name: 'v3' },
};

/** How long before the end operators are told. */
const warnedDays = 60;

/**
 * What operators are told of a version that ends in the next 60 days, or has ended; undefined if there is nothing to
 * say. Pure.
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
  if (daysLeft > warnedDays) return undefined;
  return daysLeft > 0
    ? `${platform} serves version ${name} of its API for ${daysLeft} more day${daysLeft === 1 ? '' : 's'}, until ${sunsetOn}`
    : `${platform} no longer serves version ${name} of its API, since ${sunsetOn}`;
}
