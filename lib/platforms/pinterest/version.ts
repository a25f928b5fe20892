import type { ApiVersion } from '../contract/api-version.ts';

/** REST API v5: the only version; changes within it are announced in its changelog. */
export const pinterestVersion: ApiVersion = { name: 'v5' };
