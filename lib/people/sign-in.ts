import { createHash } from 'node:crypto';
import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { randomToken } from '../kernel/ids.ts';
import { readable } from '../kernel/readable-names.ts';
import { absent } from '../table/condition.ts';
import { deleteItem, getItem, putItem } from '../table/items.ts';
import { signInKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { hasInvitations } from './invitations.ts';
import {
  type Identity,
  type Issuer,
  type SignedInPerson,
  type SignInError,
  SignInFailure,
} from './issuer.ts';
import { safeReturnTo } from './return-to.ts';
import { type Session, SignIn, signInMs } from './schemas.ts';
import { isToken, tokenDigest, tokenLength } from './session-value.ts';
import { beginSession, endSessionByDigest } from './sessions.ts';

/** The dependencies of a sign-in. */
export interface SignInPorts {
  readonly table: Table;
  readonly issuer: Issuer;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Tells operators about a failure. */
  readonly report: (message: string, error: unknown) => void;
}

/** The maximum time by which the issuer's clock may be behind ours. */
const skewMs = minuteMs;

/** The path to which the issuer sends the browser back. It must be registered there. */
export const callbackPath = '/api/panel/sign-in/callback';

/** The page of the panel that shows a person's invitations. */
const invitationsPath = '/invitations';

/**
 * Begins a sign-in: stores the values that the answer must match, and sends the browser to the issuer.
 *
 * @param request.origin the origin of the panel, as the browser used it
 * @param request.endsSession the digest of the browser's present session, which ends when the new one begins. Its cookie is
 *   `Strict`, so browsers do not send it when they come back from the issuer
 * @returns the URL to go to, and the token of the attempt, for a cookie. Only the browser that has it can finish the sign-in
 * @throws SignInFailure `sign_in_unavailable`
 */
export async function beginSignIn(
  { table, issuer, now }: SignInPorts,
  request: {
    readonly origin: string;
    readonly returnTo?: string | undefined;
    readonly isAgain: boolean;
    readonly endsSession?: string | undefined;
  },
): Promise<{ readonly location: string; readonly token: string }> {
  const { origin, isAgain, endsSession } = request;
  const token = randomToken(tokenLength);
  const attempt: SignIn = {
    state: randomToken(tokenLength),
    nonce: randomToken(tokenLength),
    codeVerifier: randomToken(tokenLength),
    redirectUri: `${origin}${callbackPath}`,
    returnTo: safeReturnTo(request.returnTo, origin),
    ...(isAgain && { isAgain }),
    ...(endsSession !== undefined && { endsSession }),
    beganAt: toTimestamp(now),
    expiresAt: toTimestamp(now + signInMs),
  };
  const location = await issuer.authorizationUrl({ ...attempt, isAgain });
  const expiresAtSeconds = Math.ceil((now + signInMs) / 1_000);
  const item = { ...signInKey(tokenDigest(token)), kind: 'signIn', ...attempt, expiresAtSeconds };
  await putItem(table, item, { pk: absent });
  return { location, token };
}

/** The dependencies of the end of a sign-in. */
export interface FinishPorts extends SignInPorts {
  /** Seals the refresh token of a person's new session. */
  readonly sealGrant: (personId: string, refreshToken: string) => Promise<string>;
}

/** A browser's return from the issuer. */
export interface SignInAnswer {
  /** The token of the attempt, from the browser's cookie. */
  readonly token: string | undefined;
  /** The query that the issuer added to the redirect URI, without a question mark. */
  readonly query: string;
  /** The browser's `User-Agent`; empty if it sent none. */
  readonly userAgent: string;
}

export type SignInOutcome =
  | {
      readonly kind: 'signed-in';
      /** The value of the new session's cookie. */
      readonly cookieValue: string;
      /** A page of the panel, on the host where the sign-in began. */
      readonly location: string;
    }
  | { readonly kind: 'failed'; readonly reason: SignInError };

/**
 * Finishes a sign-in: redeems the issuer's answer once, and begins a new session. A session that the browser had before ends, and
 * is never adopted. A person who is invited goes to the page of the invitations first.
 */
export async function finishSignIn(ports: FinishPorts, answer: SignInAnswer): Promise<SignInOutcome> {
  const { table, now, report } = ports;
  const attempt = await takeAttempt(table, answer, now);
  if (!attempt) return { kind: 'failed', reason: 'sign_in_expired' };
  let identity: SignedInPerson;
  try {
    identity = await ports.issuer.redeem({ ...attempt, query: answer.query });
    if (attempt.isAgain) requireProof(identity, attempt);
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    report('a sign-in failed', error);
    return { kind: 'failed', reason: error.reason };
  }
  const { issuer, subject, email = '', isEmailVerified, refreshToken } = identity;
  // Some issuers let people choose it.
  const name = readable(identity.name ?? '') || undefined;
  const personId = personIdOf(issuer, subject);
  const grant = refreshToken === undefined ? undefined : await ports.sealGrant(personId, refreshToken);
  if (attempt.endsSession !== undefined) await endSessionByDigest(table, attempt.endsSession);
  const proved = provedAt(identity, attempt.isAgain ?? false, now);
  const { session, cookieValue } = await beginSession(
    table,
    {
      personId,
      email,
      isEmailVerified,
      ...(name !== undefined && { name }),
      ...(proved !== undefined && { provedAt: proved }),
      userAgent: answer.userAgent,
      grant,
    },
    now,
  );
  const isAsked = !returnsToWindow(attempt) && (await isInvited(ports, session));
  const page = isAsked
    ? `${invitationsPath}?${new URLSearchParams({ next: attempt.returnTo })}`
    : attempt.returnTo;
  return { kind: 'signed-in', cookieValue, location: new URL(page, attempt.redirectUri).href };
}

/** A failure must not keep anybody out; the person is then asked at the next sign-in. */
async function isInvited({ table, now, report }: SignInPorts, session: Session): Promise<boolean> {
  try {
    return await hasInvitations({ table, session, now });
  } catch (error) {
    report('invitations could not be read; the next sign-in tries again', error);
    return false;
  }
}

/** True if a page of the panel waits for the sign-in in a window of its own. The person is asked at another sign-in. */
const returnsToWindow = ({ returnTo }: SignIn): boolean => returnTo === '/signed-in';

/** Takes the attempt of the answer, so that no other answer can use it. @returns `undefined` if there is none (any more) */
async function takeAttempt(
  table: Table,
  { token, query }: SignInAnswer,
  now: number,
): Promise<SignIn | undefined> {
  if (token === undefined || !isToken(token)) return undefined;
  const key = signInKey(tokenDigest(token));
  const item = await getItem(table, key);
  if (!item) return undefined;
  const attempt = SignIn.parse(item);
  if (Date.parse(attempt.expiresAt) <= now) return undefined;
  // A page of another site can send the browser here, but does not know the state. It must not end the attempt.
  if (new URLSearchParams(query).get('state') !== attempt.state) return undefined;
  const isTaken = await deleteItem(table, key, { state: attempt.state });
  return isTaken ? attempt : undefined;
}

/** @throws SignInFailure if the issuer says that the person authenticated only before the attempt */
function requireProof({ provedAtMs }: Identity, { beganAt }: SignIn): void {
  if (provedAtMs !== undefined && provedAtMs < Date.parse(beganAt) - skewMs)
    throw new SignInFailure('sign_in_failed', 'the issuer did not ask the person to sign in again');
}

/**
 * Returns the time at which the person authenticated. An issuer that knows the browser may not have asked, so without its
 * statement only a sign-in that had to ask counts.
 */
function provedAt({ provedAtMs }: Identity, isAgain: boolean, now: number): string | undefined {
  if (provedAtMs !== undefined) return toTimestamp(Math.min(provedAtMs, now));
  return isAgain ? toTimestamp(now) : undefined;
}

/**
 * Returns the id of the person with this subject at an issuer: a UUID (version 8, RFC 9562, section 5.8) of their digest. The
 * same pair always gives the same id, and nobody can find another pair with this id.
 *
 * @param issuer `iss`, exactly as in the ID token
 * @param subject `sub`, which the issuer never gives to anybody else (OpenID Connect Core 1.0, section 2)
 */
export function personIdOf(issuer: string, subject: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([issuer, subject]), 'utf8')
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
