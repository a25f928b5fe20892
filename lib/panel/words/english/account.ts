/** The words of several pages about an account. */
export const account = {
  /** An account without a name, with the end of its id. */
  nameless: (platform: string, ending: string) => `${platform} account …${ending}`,
  /** An account of an old post or key that is no longer connected. */
  disconnected: 'Disconnected account',

  conditions: {
    expired: 'Expired',
    error: 'Restricted',
    expiring: 'Expires soon',
    ok: 'Connected',
  } as const,
};
