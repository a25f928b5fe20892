import { removed } from '../table/update.ts';

/** Stands for the platform's id of an account whose id was erased. No platform has such an id. */
export const erasedPlatformId = 'erased';

/** Changes of a stored account that erase what the platform has told us about it and its owner, and the client's own id. */
export const erasedProfile = {
  platformAccountId: erasedPlatformId,
  loginId: removed,
  username: null,
  displayName: null,
  avatarUrl: null,
  meta: '{}',
  scopes: removed,
  externalId: removed,
} as const;
