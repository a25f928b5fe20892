import type { Json } from '../../kernel/json.ts';
import type { PlatformFeatures } from './features.ts';
import type { PlatformApp, PlatformTools } from './tools.ts';

/** A platform's authorization flow, from the consent page's URL to the connected accounts. */
export interface PlatformAuthorization {
  /** True if the platform checks a PKCE verifier (RFC 7636). */
  readonly usesPkce: boolean;
  /**
   * The features that logins of this flow can have. If the user does not grant all scopes of `publish`, `exchange` fails
   * with a message that names the missing ones. An account without the scopes of another feature lacks that feature.
   */
  readonly features: PlatformFeatures;

  /** Returns the features that new logins can have with the operator's apps, if these differ from {@link features}. */
  featuresWith?(app: PlatformApp): PlatformFeatures;

  /**
   * Returns the features of a login that requested these scopes. Present with {@link featuresWith}: the operator may have changed the apps
   * since a login began.
   */
  featuresOf?(scopes: readonly string[]): PlatformFeatures;

  readonly renewal: TokenRenewal;

  /**
   * Returns the URL of the platform's consent page, for the user's browser. Makes the platform ask even a person who
   * has consented before, if it documents a parameter for that.
   */
  authorizationUrl(request: AuthorizationRequest, tools: PlatformTools): string;

  /**
   * Exchanges the code for tokens and lists every account that they can publish to.
   *
   * @throws PlatformError with a message for the user: code already used, consent incomplete, no channel
   */
  exchange(grant: AuthorizationGrant, tools: PlatformTools): Promise<readonly ConnectableAccount[]>;

  /**
   * Refreshes the tokens. Returns the whole set: if the platform keeps the refresh token, the set has the old one.
   *
   * @throws PlatformError `reauthorise` or `restricted` if only the account's owner can help, `unknown` if the platform may
   *   have issued new tokens that were lost, `retry` for anything else
   */
  refresh(tokens: TokenSet, tools: PlatformTools): Promise<TokenSet>;

  /**
   * Checks that an account's token still works, and changes nothing. Present if one login has several accounts and a later login
   * of the same person may allow fewer of them. Takes a few seconds at most.
   *
   * @throws PlatformError as `refresh`
   */
  check?(tokens: TokenSet, tools: PlatformTools): Promise<void>;

  /**
   * Revokes the authorization at the platform; absent if the platform has no such call. This ends every connection of
   * the login, so call it only for the last one.
   *
   * @param loginId the account's `loginId`, if it has one
   */
  revoke?(tokens: TokenSet, tools: PlatformTools, loginId?: string): Promise<void>;

  /** Sets up a new account once, for example by subscribing to its events. */
  afterConnect?(account: ConnectableAccount, tools: PlatformTools): Promise<void>;
}

/** The times at which tokens are renewed, in seconds. */
export interface TokenRenewal {
  /** The age that a token must have before the platform renews it. */
  readonly minimumAgeSeconds: number;
  /** The time before its end within which a token is renewed before it is used. */
  readonly aheadSeconds: number;
  /** The age at which the sweep renews tokens, or up to a quarter earlier, so that an idle account's tokens stay valid. */
  readonly sweepAgeSeconds: number;
  /** True if each refresh returns a refresh token that lasts as long as the first, so that the authorization never has to end. */
  readonly extendsRefreshToken?: true;
  /** True if the access token renews itself; otherwise a refresh token is needed. */
  readonly byAccessToken?: true;
}

export interface AuthorizationRequest {
  readonly state: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The PKCE verifier's S256 challenge; present if `usesPkce`. */
  readonly codeChallenge?: string;
}

export interface AuthorizationGrant {
  readonly code: string;
  readonly redirectUri: string;
  /** The requested scopes. If the platform does not say which scopes it granted, all of these count as granted. */
  readonly scopes: readonly string[];
  readonly codeVerifier?: string;
}

/** An authorization's tokens. Stored encrypted. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** The end of the access token's life, as ISO 8601; absent if it never ends. */
  readonly expiresAt?: string;
  /** The end of the refresh token's life, as ISO 8601; absent if the platform does not say, or it never ends. */
  readonly refreshExpiresAt?: string;
  readonly obtainedAt: string;
  readonly scopes: readonly string[];
}

export interface ConnectableAccount {
  readonly platformAccountId: string;
  /**
   * The platform's id of the person, if it differs from the account's: all accounts of a person lose their
   * authorization together.
   */
  readonly loginId?: string;
  readonly username: string | null;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly meta: { readonly [key: string]: Json };
  readonly tokens: TokenSet;
}
