import { dayMs } from '../../kernel/clock.ts';

/** The version of a platform's API that an adapter was written for. */
export interface ApiVersion {
  readonly name: string;
  /** The day (ISO 8601) from which the platform no longer serves it; absent where none is announced. */
  readonly sunsetOn?: string;
}

/** How long before the end operators are told. */
const warnedDays = 60;

/**
 * What operators are told of a version that ends in the next 60 days, or has ended; undefined where there is nothing
 * to say. Pure.
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
