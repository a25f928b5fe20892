import type { Wire } from './start.ts';

/** The base URL of media files, without a final slash. */
export const mediaBaseUrl: Wire<string> = (environment) => environment('MEDIA_BASE_URL');

/** The base URL of this service, without a final slash. */
export const publicBaseUrl: Wire<string> = (environment) => environment('PUBLIC_BASE_URL');

/** Requests per minute that an address may make. */
export const ratePerMinute: Wire<number> = (environment) => Number(environment('RATE_LIMIT_PER_MINUTE'));
