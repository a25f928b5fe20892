/** The OpenID Connect issuer at which people sign in, with the operations that the service needs. */
export interface Issuer {
  /**
   * Returns the URL to which the browser goes to sign in.
   *
   * @throws SignInFailure `sign_in_unavailable`
   */
  authorizationUrl(request: AuthorizationRequest): Promise<string>;
  /**
   * Redeems the code of an answer, once, and validates the ID token: signature, issuer, audience, times, nonce.
   *
   * @throws SignInFailure
   */
  redeem(answer: AuthorizationAnswer): Promise<SignedInPerson>;
  /** Asks the issuer, with a refresh token, whether it still lets the person sign in. */
  renew(refreshToken: string): Promise<Renewal>;
  /**
   * Returns the URL to which the browser goes to sign out of the issuer too; null if the issuer offers no such page.
   *
   * @param returnTo a URL that is registered at the issuer
   * @throws SignInFailure `sign_in_unavailable`
   */
  signOutUrl(returnTo: string): Promise<string | null>;
}

/** The scopes that the service requests. An issuer may refuse a client that does not have all of them. */
export const signInScopes = ['openid', 'email', 'profile'] as const;

/**
 * The scope by which clients ask for a refresh token: https://openid.net/specs/openid-connect-core-1_0.html#OfflineAccess. Only
 * requested if the issuer lists it: others, such as Cognito, give a refresh token without it.
 */
export const offlineScope = 'offline_access';

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636). Only its digest is sent to the browser. */
  readonly codeVerifier: string;
  /** True if the person must sign in again, even if the issuer knows them. */
  readonly isAgain: boolean;
}

export interface AuthorizationAnswer extends Omit<AuthorizationRequest, 'isAgain'> {
  /** The query that the issuer added to the redirect URI, without a question mark. Contains the code: never log it. */
  readonly query: string;
}

/** The person who has signed in, according to the issuer. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly isEmailVerified: boolean;
  readonly name?: string;
  /** The last time that the person authenticated (`auth_time`), in epoch milliseconds; absent if the issuer does not say. */
  readonly provedAtMs?: number;
}

/** A person who has signed in, with the refresh token by which the session is checked. */
export interface SignedInPerson extends Identity {
  /** Absent if the issuer gives none. */
  readonly refreshToken?: string;
}

/** The issuer's answer to a refresh token. */
export type Renewal =
  | {
      readonly kind: 'confirmed';
      /** The person, if the answer has an ID token. */
      readonly person?: Pick<Identity, 'issuer' | 'subject'>;
      /** The token that replaces the one that was sent; absent if that one can be used again. */
      readonly refreshToken?: string;
    }
  /** The issuer does not honour the token any more: it has removed or disabled the person, or ended the person's session. */
  | { readonly kind: 'ended' }
  /** @property why for operators; without any token */
  | { readonly kind: 'unavailable'; readonly why: string };

/**
 * The reason of a failed sign-in, for the page `/signed-out`:
 * - `sign_in_expired`: it took too long, was used before, or was begun in another browser
 * - `sign_in_refused`: the person or the issuer declined
 * - `sign_in_failed`: the issuer's answer is not valid
 * - `sign_in_unavailable`: the issuer does not respond, or the stage has none
 */
export type SignInError = 'sign_in_expired' | 'sign_in_refused' | 'sign_in_failed' | 'sign_in_unavailable';

/** The error of a sign-in that the issuer did not confirm. Its message is for operators and has no code, token or secret. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly reason: SignInError;

  constructor(reason: SignInError, message: string) {
    super(message);
    this.reason = reason;
  }
}
