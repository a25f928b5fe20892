import type { PlatformFeatures } from '../contract/features.ts';

/**
 * The features that Pinterest grants separately, by the `security` of each operation in its OpenAPI description.
 * `POST /pins` needs `boards:write` too, so `boards` (creating boards and sections) needs no scope of its own.
 * https://github.com/pinterest/api-description
 */
export const pinterestFeatures: PlatformFeatures = {
  scopes: {
    publish: ['user_accounts:read', 'boards:read', 'boards:write', 'pins:read', 'pins:write'],
    boards: ['boards:read', 'boards:write'],
  },
  formerScopes: ['user_accounts:read', 'boards:read', 'boards:write', 'pins:read', 'pins:write'],
};
