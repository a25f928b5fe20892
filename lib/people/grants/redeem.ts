import { toTimestamp } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import { permissionsOf } from '../../workspaces/schemas.ts';
import { accessMs, type Grant, type GrantEnd, repeatMs } from './schemas.ts';
import { changeGrant, endGrant, type FoundGrant, findGrant } from './store.ts';
import {
  challengeOf,
  type GrantToken,
  grantTokenDigest,
  newHalf,
  readToken,
  successorsOf,
  tokenOf,
} from './tokens.ts';

/** The dependencies of the token endpoint, which has no caller but the client that sends a code or token. */
export interface RedeemPorts {
  readonly table: Table;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Counts a request for its grant; throws if there are too many. */
  readonly count: (found: FoundGrant) => Promise<void>;
  /** Makes a half of a token that nobody can guess. */
  readonly newHalf?: () => string;
}

/** The answer to a client (RFC 6749, section 5.1). */
export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** The reason why a client gets nothing (RFC 6749, section 5.2). */
export interface RefusedTokens {
  readonly error: 'invalid_grant' | 'invalid_target' | 'temporarily_unavailable';
  readonly error_description: string;
  /** True if nothing was found to which the request could belong. */
  readonly isUnknown?: true;
}

type Outcome = IssuedTokens | RefusedTokens;

/** The part of a request that says for whom it is. */
interface Claimed {
  readonly clientId: string;
  readonly resource: string | undefined;
}

/** The form of a verifier: https://www.rfc-editor.org/rfc/rfc7636#section-4.1 */
const verifierForm = /^[\w.~-]{43,128}$/;

/** The number of tries if another request changes the grant each time. */
const maxAttempts = 5;

/**
 * Redeems an authorization code for the first tokens. A code that is presented again, by whomever, ends the grant.
 *
 * @throws whatever `count` throws
 */
export async function redeemCode(
  ports: RedeemPorts,
  input: Claimed & {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string | undefined;
  },
): Promise<Outcome> {
  return withGrant(ports, readToken('code', input.code), input, async (found, token) => {
    const { grant } = found;
    if (grant.code.digest !== grantTokenDigest(token)) return unknownGrant;
    if (grant.refreshDigest !== undefined) return endedBy(ports, found, 'code reused');
    if (Date.parse(grant.code.until) <= ports.now) return refused('the code has expired');
    if (input.redirectUri !== undefined && input.redirectUri !== grant.redirectUri)
      return refused('redirect_uri is not that of the authorization request');
    if (!verifierForm.test(input.verifier) || challengeOf(input.verifier) !== grant.code.challenge)
      return refused('code_verifier does not match the code_challenge');
    const half = ports.newHalf ?? newHalf;
    return issue(ports, found, token.family, { access: half(), refresh: half() }, {});
  });
}

/**
 * Replaces the tokens of a grant. A refresh token is used once: presented again later than the time for repeating a lost request, it
 * ends the grant, because two parties have it.
 *
 * @throws whatever `count` throws
 */
export async function refreshTokens(
  ports: RedeemPorts,
  input: Claimed & { readonly refreshToken: string },
): Promise<Outcome> {
  return withGrant(ports, readToken('refresh', input.refreshToken), input, async (found, token) => {
    const { grant } = found;
    const { now } = ports;
    const digest = grantTokenDigest(token);
    if (grant.refreshDigest === digest) {
      const salt = (ports.newHalf ?? newHalf)();
      const before = { digest, salt, at: toTimestamp(now) };
      return issue(ports, found, token.family, successorsOf(token, salt), { before });
    }
    const { before } = grant;
    if (before?.digest === digest && now - Date.parse(before.at) < repeatMs)
      return repeated(found, token, before.salt, now);
    return endedBy(ports, found, 'token reused');
  });
}

/**
 * Ends the grant of a token, because its client has no more use for it (RFC 7009). What is no token of this client changes nothing.
 *
 * @throws whatever `count` throws
 */
export async function revokeToken(
  ports: RedeemPorts,
  input: { readonly token: string; readonly clientId: string | undefined },
): Promise<void> {
  const token = readToken('refresh', input.token) ?? readToken('access', input.token);
  if (!token) return;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const found = await findGrant(ports.table, token, ports.now);
    if (!found) return;
    if (attempt === 1) await ports.count(found);
    const { grant } = found;
    if (input.clientId !== undefined && input.clientId !== grant.clientId) return;
    const known = [
      grant.refreshDigest,
      grant.before?.digest,
      ...(grant.access ?? []).map((each) => each.digest),
    ];
    if (!known.includes(grantTokenDigest(token))) return;
    if (await endGrant(ports, found, 'client')) return;
  }
  throw new Error('others change the grant at the same time');
}

/** Looks at a grant until nobody changes it in between. `undefined` from `decide` means that somebody has. */
async function withGrant(
  ports: RedeemPorts,
  token: GrantToken | undefined,
  { clientId, resource }: Claimed,
  decide: (found: FoundGrant, token: GrantToken) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  if (!token) return unknownGrant;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const found = await findGrant(ports.table, token, ports.now);
    if (!found) return unknownGrant;
    if (attempt === 1) await ports.count(found);
    if (found.grant.clientId !== clientId) return refused('it was issued to another client');
    if (resource !== undefined && resource !== found.grant.resource)
      return { error: 'invalid_target', error_description: `resource must be ${found.grant.resource}` };
    // The grant must survive: a workspace can be resumed.
    if (found.caller.suspendedAt !== undefined)
      return { error: 'temporarily_unavailable', error_description: 'the workspace is suspended' };
    const outcome = await decide(found, token);
    if (outcome) return outcome;
  }
  throw new Error('others change the grant at the same time');
}

const refused = (error_description: string): RefusedTokens => ({ error: 'invalid_grant', error_description });

/** The same answer for what never existed and for what has ended. */
const unknownGrant: RefusedTokens = {
  ...refused('it is unknown, was used, or its grant has ended; sign in again'),
  isUnknown: true,
};

async function endedBy(ports: RedeemPorts, found: FoundGrant, by: GrantEnd): Promise<Outcome | undefined> {
  return (await endGrant(ports, found, by)) ? refused('it was used before; sign in again') : undefined;
}

/** Stores and returns new tokens. The access token before stays valid, so that the client's other requests under way succeed. */
async function issue(
  { table, now }: RedeemPorts,
  found: FoundGrant,
  family: string,
  halves: Record<'access' | 'refresh', string>,
  change: Pick<Grant, 'before'>,
): Promise<Outcome | undefined> {
  const { grant, caller } = found;
  const access = { kind: 'access', family, secret: halves.access } as const;
  const refresh = { kind: 'refresh', family, secret: halves.refresh } as const;
  const ends = Math.min(
    now + accessMs,
    caller.expiresAt === undefined ? Infinity : Date.parse(caller.expiresAt),
  );
  const valid = { digest: grantTokenDigest(access), until: toTimestamp(ends) };
  const isChanged = await changeGrant(table, grant, {
    ...change,
    refreshDigest: grantTokenDigest(refresh),
    access: [valid, ...(grant.access ?? []).slice(0, 1)],
  });
  return isChanged ? answer(found, access, refresh, ends - now) : undefined;
}

/** Returns the tokens of a refresh again, to a client that has not received them. */
function repeated(found: FoundGrant, token: GrantToken, salt: string, now: number): Outcome {
  const { family } = token;
  const halves = successorsOf(token, salt);
  const until = found.grant.access?.[0]?.until ?? toTimestamp(now);
  return answer(
    found,
    { kind: 'access', family, secret: halves.access },
    { kind: 'refresh', family, secret: halves.refresh },
    Date.parse(until) - now,
  );
}

const answer = (
  { caller }: FoundGrant,
  access: GrantToken,
  refresh: GrantToken,
  leftMs: number,
): IssuedTokens => ({
  access_token: tokenOf(access),
  token_type: 'Bearer',
  expires_in: Math.max(0, Math.floor(leftMs / 1_000)),
  refresh_token: tokenOf(refresh),
  scope: (permissionsOf(caller) ?? []).join(' '),
});
