import type { Wire } from './start.ts';

/** Where files are read, without a final slash. */
export const mediaBaseUrl: Wire<string> = (environment) => environment('MEDIA_BASE_URL');

/** Where this service is reached, without a final slash. */
export const publicBaseUrl: Wire<string> = (environment) => environment('PUBLIC_BASE_URL');

/** Requests a minute that an address may make. */
export const ratePerMinute: Wire<number> = (environment) => Number(environment('RATE_LIMIT_PER_MINUTE'));
