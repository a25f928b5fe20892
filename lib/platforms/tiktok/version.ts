import type { ApiVersion } from '../contract/api-version.ts';

/** TikTok's APIs for developers: v2 is the only one, and no end of it is announced. */
export const tiktokVersion: ApiVersion = { name: 'v2' };
