import type { ApiVersion } from '../contract/api-version.ts';

/** Graph API changelog: v25.0 of 18 February 2026. */
export const instagramVersion: ApiVersion = { name: 'v25.0', sunsetOn: '2028-07-29' };
