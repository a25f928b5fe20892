import type { PlatformFeatures } from '../contract/features.ts';

/**
 * The features that Pinterest grants separately, by the `security` of each operation in its OpenAPI description.
 * `POST /pins` needs `boards:write` too, so `boards` (creating boards and sections) needs no scope of its own.
 * https://github.com/pinterest/api-description
 *
 * The scopes of secret boards come on top of the others: `boards:read_secret` is "See your secret boards", `pins:write_secret`
 * "Create, update, or delete your secret Pins". https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 */
export const pinterestFeatures: PlatformFeatures = {
  scopes: {
    publish: ['user_accounts:read', 'boards:read', 'boards:write', 'pins:read', 'pins:write'],
    boards: ['boards:read', 'boards:write'],
    secretBoards: ['boards:read_secret', 'boards:write_secret', 'pins:read_secret', 'pins:write_secret'],
    insights: ['pins:read', 'user_accounts:read'],
  },
  // Few people want a service to see what they keep secret.
  onRequest: ['secretBoards'],
  formerScopes: ['user_accounts:read', 'boards:read', 'boards:write', 'pins:read', 'pins:write'],
};
