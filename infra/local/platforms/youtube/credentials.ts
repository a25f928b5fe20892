import { endConsents } from '../kit/login/consents.ts';
import type { Workbench } from '../kit/types.ts';
import type { Grant, State } from './state.ts';

/** The `expires_in` of Google's access tokens, in seconds. */
export const accessTokenSeconds = 3599;

/** A refresh token expires if it is not used for six months. In milliseconds. */
const refreshTokenIdleMs = 183 * 24 * 3600 * 1000;

export interface Credentials {
  /** Creates a grant and its first access token, and a refresh token if `withRefreshToken`. */
  grant(options: { username: string; scopes: readonly string[]; withRefreshToken: boolean; now: number }): {
    accessToken: string;
    grant: Grant;
  };
  /** Issues a new access token. Undefined if the refresh token is invalid. */
  refresh(refreshToken: string, now: number): { accessToken: string; grant: Grant } | undefined;
  /** Returns the grant of a valid access token. */
  check(accessToken: string, now: number): Grant | undefined;
  /** Revokes the grant of an access or refresh token, with all its tokens. Returns false if the token is invalid. */
  revoke(token: string, now: number): boolean;
  /** Revokes every grant of a user, as when the user removes the app in the account settings. */
  revokeAll(username: string): void;
  /** Makes one access token expire now. */
  expire(accessToken: string, now: number): void;
  hasLiveGrant(username: string): boolean;
}

/** Manages grants and tokens. Times are epoch milliseconds. */
export function openCredentials(
  { grants, accessTokens, refreshTokens }: State,
  workbench: Pick<Workbench, 'ledger' | 'random' | 'setting'>,
): Credentials {
  const { random, setting } = workbench;
  const issueAccessToken = (grantId: string, now: number) => {
    const accessToken = random.secret('ya29.');
    accessTokens.put(accessToken, { grantId, expiresAt: now + accessTokenSeconds * 1000 });
    return accessToken;
  };
  const liveGrant = (id: string | undefined) => {
    const grant = id === undefined ? undefined : grants.get(id);
    return grant?.isRevoked === false ? grant : undefined;
  };
  const check = (accessToken: string, now: number) => {
    const token = accessTokens.get(accessToken);
    return token !== undefined && now < token.expiresAt ? liveGrant(token.grantId) : undefined;
  };
  const checkRefreshToken = (refreshToken: string, now: number) => {
    const grant = liveGrant(refreshTokens.get(refreshToken));
    const { usedAt = 0, endsAt = Infinity } = grant ?? {};
    return now < usedAt + refreshTokenIdleMs && now < endsAt ? grant : undefined;
  };
  const end = (grant: Grant) => {
    grants.put(grant.id, { ...grant, isRevoked: true });
    endConsents(workbench, grant.username);
  };

  return {
    check,
    grant({ username, scopes, withRefreshToken, now }) {
      const id = random.secret();
      const refreshToken = withRefreshToken ? { refreshToken: random.secret('1//') } : {};
      const limitMs = Number(setting('grantSeconds')) * 1000;
      const end = limitMs > 0 ? { endsAt: now + limitMs } : {};
      const grant: Grant = { id, username, scopes, usedAt: now, isRevoked: false, ...refreshToken, ...end };
      grants.put(id, grant);
      if (grant.refreshToken !== undefined) refreshTokens.put(grant.refreshToken, id);
      return { accessToken: issueAccessToken(id, now), grant };
    },
    refresh(refreshToken, now) {
      const grant = checkRefreshToken(refreshToken, now);
      if (grant === undefined) return undefined;
      grants.put(grant.id, { ...grant, usedAt: now });
      return { accessToken: issueAccessToken(grant.id, now), grant };
    },
    revoke(token, now) {
      const grant = check(token, now) ?? checkRefreshToken(token, now);
      if (grant !== undefined) end(grant);
      return grant !== undefined;
    },
    revokeAll(username) {
      grants.list({ owner: username }).forEach(end);
    },
    expire(accessToken, now) {
      const token = accessTokens.get(accessToken);
      if (token !== undefined) accessTokens.put(accessToken, { ...token, expiresAt: now });
    },
    hasLiveGrant: (username) => grants.list({ owner: username }).some(({ isRevoked }) => !isRevoked),
  };
}
