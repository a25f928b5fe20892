import type { ApiVersion } from '../contract/api-version.ts';

/** YouTube Data API: v3 is undated; changes are announced in its Revision History. */
export const youtubeVersion: ApiVersion = { name: 'v3' };
