import type { ApiVersion } from '../contract/api-version.ts';

/** Threads API: v1.0 is its only version, apart from those of the Graph API. */
export const threadsVersion: ApiVersion = { name: 'v1.0' };
