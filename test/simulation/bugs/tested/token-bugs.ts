import type { TestedBug } from '../planted-bug.ts';

/** Bugs of tokens: their renewal, and the ends of connections. */
export const tokenBugs = {
  'a refresh overwrites a reconnection': {
    patches: [
      {
        file: 'lib/accounts/tokens/store.ts',
        replace: '...newTokensUpdate(account, tokens),\n    if: { version },',
        with: '...newTokensUpdate(account, tokens),\n    if: version ? unconditionally : {},',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/access-tokens.test.ts',
      'does not overwrite the tokens of an account that was connected again during the refresh',
    ],
  },
  'a refresh that was cut off is forgotten at the next failure': {
    patches: [
      {
        file: 'lib/accounts/tokens/access-tokens.ts',
        replace: 'const isOpen = wasCutOff || (isSent && isUnknown);',
        with: 'const isOpen = isSent && isUnknown;',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/renewal-crash.test.ts',
      'after the platform issued new tokens is still known as the reason if the platform fails before it refuses',
    ],
  },
  'a renewal that failed is not postponed': {
    patches: [
      {
        file: 'lib/accounts/tokens/refresh-due.ts',
        replace: 'await postponeRenewal(table, account, stored.version, next.againMs);',
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/renewal-failure.test.ts',
      'the account stays as it is and is tried again in one to two hours',
    ],
  },
  'two workers refresh the same tokens': {
    patches: [
      {
        file: 'lib/accounts/tokens/store.ts',
        replace: 'if: { version, refreshLeaseUntil: anyOf(absent, atMost(toTimestamp(lease.now))) },',
        with: 'if: { version },',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/access-tokens.test.ts',
      'takes over from a worker that crashed, once its lease has expired',
    ],
  },
  'a refused renewal ends an authorization whose access token still works': {
    patches: [
      {
        file: 'lib/accounts/tokens/refresh-due.ts',
        replace:
          'const isGood = !renewal.byAccessToken && expiresAt !== undefined && Date.parse(expiresAt) > now;',
        with: 'const isGood = !renewal.byAccessToken && expiresAt !== undefined && Date.parse(expiresAt) < 0;',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/renewal-failure.test.ts',
      'permanently while the access token is valid, the account works until then',
    ],
  },
  'a refusal of a young token renews it again and again': {
    patches: [
      {
        file: 'lib/accounts/tokens/access-tokens.ts',
        replace: 'if (!this.#isOldEnough(account, stored)) return false;',
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/access-tokens.test.ts',
      'is not tried before the platform’s minimum age',
    ],
  },
  'disconnecting one of two accounts of a login revokes it': {
    patches: [
      {
        file: 'lib/accounts/disconnect.ts',
        replace: 'if (await isAuthorizationInUse(context.table, account)) return;',
        with: '',
      },
    ],
    caughtBy: [
      'test/lib/accounts/disconnect.test.ts',
      'is revoked only with the last connection, because revoking would end those of other workspaces',
    ],
  },
  'a late mark expires an account that was connected again': {
    patches: [
      {
        file: 'lib/accounts/store.ts',
        replace: 'if: { connectedAt, disconnectedAt: absent, ...condition },',
        with: 'if: { disconnectedAt: absent, ...condition },',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/renewal-failure.test.ts',
      'an account that was connected again in the meantime is not changed',
    ],
  },
  'a refresh that fails late ends the lease of the worker that took over': {
    patches: [
      {
        file: 'lib/accounts/tokens/store.ts',
        replace: 'if: { refreshLeaseId: leaseId } });',
        with: 'if: leaseId ? { refreshLeaseId: present } : {} });',
      },
    ],
    caughtBy: [
      'test/lib/accounts/tokens/access-tokens.test.ts',
      'leaves the lease to the worker that took over, however late the first refresh fails',
    ],
  },
} as const satisfies Readonly<Record<string, TestedBug>>;
