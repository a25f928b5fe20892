import { toTimestamp } from '../../lib/kernel/clock.ts';
import type {
  AuthorizationGrant,
  ConnectableAccount,
  PlatformAuthorization,
  TokenSet,
} from '../../lib/platforms/contract/authorization.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';

/** A platform's authorization flow that returns what the test sets, and records its calls. */
export interface ScriptedAuthorization extends PlatformAuthorization {
  /** The calls in order, such as `exchange code-1` and `revoke token-of-a`. */
  readonly asked: string[];
  readonly grants: AuthorizationGrant[];
  answers: {
    exchange: (grant: AuthorizationGrant) => Promise<readonly ConnectableAccount[]>;
    refresh: (tokens: TokenSet) => Promise<TokenSet>;
    revoke: () => Promise<void>;
    afterConnect: (account: ConnectableAccount) => Promise<void>;
    check: (tokens: TokenSet) => Promise<void>;
  };
}

export const scriptedScopes = ['publish', 'read'];

export function scriptedAuthorization(): ScriptedAuthorization {
  const asked: string[] = [];
  const grants: AuthorizationGrant[] = [];
  const unscripted = async () => {
    throw new Error('the test did not set an answer for this call');
  };
  const authorization: ScriptedAuthorization = {
    asked,
    grants,
    answers: {
      exchange: unscripted,
      refresh: unscripted,
      revoke: async () => {},
      afterConnect: async () => {},
      check: async () => {},
    },
    usesPkce: true,
    features: {
      scopes: { publish: scriptedScopes, comments: ['comment'] },
      formerScopes: scriptedScopes,
    },
    renewal: { minimumAgeSeconds: 0, aheadSeconds: 300, sweepAgeSeconds: 86_400 },
    authorizationUrl: ({ state, redirectUri, scopes, codeChallenge = '' }) => {
      const query = { state, redirectUri, scope: scopes.join(' '), codeChallenge };
      return `https://platform.example/authorize?${new URLSearchParams(query)}`;
    },
    exchange: (grant) => {
      asked.push(`exchange ${grant.code}`);
      grants.push(grant);
      return authorization.answers.exchange(grant);
    },
    refresh: (tokens) => {
      asked.push(`refresh ${tokens.refreshToken}`);
      return authorization.answers.refresh(tokens);
    },
    check: (tokens) => {
      asked.push(`check ${tokens.accessToken}`);
      return authorization.answers.check(tokens);
    },
    revoke: (tokens) => {
      asked.push(`revoke ${tokens.accessToken}`);
      return authorization.answers.revoke();
    },
    afterConnect: (account) => {
      asked.push(`afterConnect ${account.platformAccountId}`);
      return authorization.answers.afterConnect(account);
    },
  };
  return authorization;
}

export function tokenSet(name: string, obtainedMs: number, changes: Partial<TokenSet> = {}): TokenSet {
  return {
    accessToken: `secret-access-${name}`,
    refreshToken: `secret-refresh-${name}`,
    obtainedAt: toTimestamp(obtainedMs),
    expiresAt: toTimestamp(obtainedMs + 3_600_000),
    scopes: scriptedScopes,
    ...changes,
  };
}

/** An account as a platform returns it, with tokens that contain its id. */
export function connectable(
  platformAccountId: string,
  obtainedMs: number,
  changes: Partial<ConnectableAccount> = {},
): ConnectableAccount {
  return {
    platformAccountId,
    username: platformAccountId,
    displayName: `The ${platformAccountId}`,
    avatarUrl: `https://images.example/${platformAccountId}.jpg`,
    meta: { kind: 'page' },
    tokens: tokenSet(platformAccountId, obtainedMs),
    ...changes,
  };
}

/** Tools for authorizations that call no platform. */
export function unusedTools(now: () => number): PlatformTools {
  return {
    now,
    app: { clientId: 'client', clientSecret: 'secret' },
    http: {
      send: async () => {
        throw new Error('unexpected call of a platform');
      },
      connectAhead: async () => {},
      addressOf: (url) => url,
    },
  };
}
