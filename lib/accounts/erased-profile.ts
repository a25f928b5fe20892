import { removed } from '../table/update.ts';

/** Placeholder for an erased platform id. No platform has such an id. */
export const erasedPlatformId = 'erased';

/** The changes to a stored account that erase the platform's data about it and its owner, and the client's own id. */
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
