import type { Json } from '../../kernel/json.ts';
import type { PlatformTools } from './tools.ts';

/** A platform's authorization flow, from the address the user is sent to, to the accounts that came back. */
export interface PlatformAuthorization {
  /** Whether the platform checks a PKCE verifier (RFC 7636). */
  readonly usesPkce: boolean;
  /** Without one of these the account is not connected; the message names what is missing. */
  readonly requiredScopes: readonly string[];

  readonly renewal: TokenRenewal;

  /** Where the user's browser is sent. */
  authorizationUrl(request: AuthorizationRequest, tools: PlatformTools): string;

  /**
   * Turns the code into tokens and lists every account it can publish to.
   *
   * @throws PlatformError whose message a person understands: code used, consent incomplete, no channel
   */
  exchange(grant: AuthorizationGrant, tools: PlatformTools): Promise<readonly ConnectableAccount[]>;

  /**
   * New tokens for old. The whole set is returned: where the platform keeps the refresh token, the old one is in it.
   *
   * @throws PlatformError `reauthorise` where only the user can help, `retry` for anything passing
   */
  refresh(tokens: TokenSet, tools: PlatformTools): Promise<TokenSet>;

  /**
   * Ends the authorization at the platform, where it can be done. It ends for every connection of that login, so it
   * is for the last one only.
   *
   * @param loginId of the account, where it has one
   */
  revoke?(tokens: TokenSet, tools: PlatformTools, loginId?: string): Promise<void>;

  /** What else has to be done once for a new account, such as subscribing to its events. */
  afterConnect?(account: ConnectableAccount, tools: PlatformTools): Promise<void>;
}

/** When tokens are renewed, in seconds. */
export interface TokenRenewal {
  /** The platform renews no younger token. */
  readonly minimumAgeSeconds: number;
  /** Before a use, a token with less than this left is renewed first. */
  readonly aheadSeconds: number;
  /** The sweep renews what is this old, or up to a quarter younger, so that an authorization outlives a long silence. */
  readonly sweepAgeSeconds: number;
  /** The access token itself is what a new one is asked for with; else that takes a refresh token. */
  readonly byAccessToken?: true;
}

export interface AuthorizationRequest {
  readonly state: string;
  readonly redirectUri: string;
  /** S256 of the verifier; given where `usesPkce`. */
  readonly codeChallenge?: string;
}

export interface AuthorizationGrant {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier?: string;
}

/** What is kept, encrypted, of an authorization. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** ISO 8601; absent where the token has no end. */
  readonly expiresAt?: string;
  readonly obtainedAt: string;
  readonly scopes: readonly string[];
}

export interface ConnectableAccount {
  readonly platformAccountId: string;
  /** The platform's id of the person, where one login carries several accounts that end together. */
  readonly loginId?: string;
  readonly username: string | null;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly meta: { readonly [key: string]: Json };
  readonly tokens: TokenSet;
}
