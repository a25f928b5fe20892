import type { Condition } from './condition.ts';

export const strings = {
  /** An account without a name, with the end of its id. */
  nameless: (platform: string, ending: string) => `${platform} account …${ending}`,
  /** An account of an old post or key that is no longer connected. */
  disconnected: 'Disconnected account',

  conditions: {
    ok: 'Works',
    expiring: 'Expires soon',
    error: 'Restricted',
    expired: 'Expired',
  } as const satisfies Readonly<Record<Condition, string>>,
};
