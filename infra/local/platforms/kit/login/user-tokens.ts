import type { Ledger } from '../ledger.ts';
import type { Records } from '../records.ts';

/** A user's access token or refresh token. Times are epoch milliseconds. */
export interface UserToken {
  readonly value: string;
  readonly username: string;
  readonly scopes: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly isRevoked: boolean;
}

export interface UserTokens<Token extends UserToken = UserToken> {
  readonly accessTokens: Records<Token>;
  readonly refreshTokens: Records<Token>;
}

/** Opens the tokens of a platform that issues access tokens and refresh tokens. */
export function openUserTokens<Token extends UserToken>(ledger: Ledger): UserTokens<Token> {
  const byUser = ({ username, issuedAt }: Token) => ({ owner: username, at: issuedAt });
  return {
    accessTokens: ledger.records<Token>('access-token', byUser),
    refreshTokens: ledger.records<Token>('refresh-token', byUser),
  };
}

type Grant = Pick<UserToken, 'username' | 'scopes'>;

/** Creates and stores a token. @param seconds the token's lifetime @param at epoch milliseconds */
export function issueToken<Granted extends Grant>(
  tokens: Records<Granted & UserToken>,
  grant: Granted,
  { value, seconds, at }: { readonly value: string; readonly seconds: number; readonly at: number },
): Granted & UserToken {
  const token = { ...grant, value, issuedAt: at, expiresAt: at + seconds * 1000, isRevoked: false };
  tokens.put(value, token);
  return token;
}

/** Returns the token with this value, unless it is unknown, revoked or expired. */
export function liveToken<Token extends UserToken>(
  tokens: Records<Token>,
  value: unknown,
  now: number,
): Token | undefined {
  const token = typeof value === 'string' ? tokens.get(value) : undefined;
  return token !== undefined && !token.isRevoked && token.expiresAt > now ? token : undefined;
}

/** Revokes every token of a user that `isMeant` accepts, as when the user removes the app. */
export function revokeTokens<Token extends UserToken>(
  { accessTokens, refreshTokens }: UserTokens<Token>,
  username: string,
  isMeant: (token: Token) => boolean = () => true,
): void {
  for (const tokens of [accessTokens, refreshTokens]) {
    for (const token of tokens.list({ owner: username }).filter(isMeant)) {
      tokens.put(token.value, { ...token, isRevoked: true });
    }
  }
}

/** Makes the token expire now. */
export function expireToken<Token extends UserToken>(
  tokens: Records<Token>,
  value: string | undefined,
  now: number,
): void {
  const token = tokens.get(value ?? '');
  if (token !== undefined) tokens.put(token.value, { ...token, expiresAt: now });
}
