import { toTimestamp } from '../kernel/clock.ts';
import { randomToken } from '../kernel/ids.ts';
import type { ConnectableAccount } from '../platforms/contract/authorization.ts';
import { UnusableLoginError } from '../platforms/contract/errors.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { requirePublishing } from '../platforms/shared/oauth.ts';
import { patienceMs } from './begin.ts';
import { sealCandidates } from './candidates.ts';
import { type ConnectionError, errorCodeOf, without } from './errors.ts';
import { checkOtherAccounts } from './other-accounts.ts';
import { type ConnectionOutcome, refuseVisit } from './outcome.ts';
import { type LoginPorts, pageUrl, redirectUri, type Visit } from './ports.ts';
import type { Connection } from './schemas.ts';
import { offerCandidates, refuseConnection, takeConnection } from './store.ts';

/**
 * Handles the browser's return from the platform. Uses up the state first, so that one answer is exchanged once, and only
 * if it comes from the browser that left for the platform. Connects nothing: the user confirms on the next page.
 *
 * @param answer the URL's query: `code` or `error`, and `state` (RFC 6749, 4.1.2)
 */
export async function completeLogin(
  ports: LoginPorts,
  { platform, browserSecret }: Omit<Visit, 'state' | 'isSameOrigin'>,
  answer: URLSearchParams,
): Promise<ConnectionOutcome> {
  const state = answer.get('state') ?? '';
  const visit = { state, platform, browserSecret };
  const writeId = randomToken(22);
  const taken = await takeConnection(ports.table, { ...visit, now: ports.now }, writeId);
  if (taken.state !== 'usable' || browserSecret === undefined) {
    return refuseVisit(ports, taken.state === 'usable' ? { state: 'other browser' } : taken, visit);
  }
  const { connection } = taken;
  const error = await exchangeCode(ports, connection, { answer, state, writeId });
  if (error === undefined) {
    return { kind: 'continue', url: pageUrl(ports, 'choose', connection.platform, state), browserSecret };
  }
  await refuseConnection(ports.table, state, 'pending', error);
  return { kind: 'refused', error, platform: connection.platform, redirectUrl: connection.redirectUrl };
}

interface Return {
  readonly answer: URLSearchParams;
  readonly state: string;
  readonly writeId: string;
}

/** Exchanges the code for the login's accounts and stores these, encrypted. @returns the error if this failed */
async function exchangeCode(
  ports: LoginPorts,
  connection: Connection,
  { answer, state, writeId }: Return,
): Promise<ConnectionError | undefined> {
  const { workspaceId, platform } = connection;
  const code = answer.get('code') ?? '';
  if (answer.has('error') || code === '') return denial(ports, connection, answer);
  try {
    const accounts = await exchange(ports, connection, code);
    const candidates = await sealCandidates(ports.vault, { workspaceId, state }, accounts);
    if (candidates === undefined) return 'too_many_accounts';
    await checkOtherAccounts(ports, connection, accounts);
    const expiresAt = toTimestamp(ports.now + patienceMs);
    await offerCandidates(ports.table, state, writeId, { candidates, expiresAt });
    return undefined;
  } catch (error) {
    return errorCodeOf(error, ports, platform, [code, state]);
  }
}

/** @throws PlatformError if the platform refuses the code, or the login cannot be used */
async function exchange(
  ports: LoginPorts,
  { platform, as, codeVerifier, scopes }: Connection,
  code: string,
): Promise<readonly ConnectableAccount[]> {
  const title = platformTitles[platform];
  const authorization = ports.authorizationFor(platform, as);
  if (!authorization) throw new Error(`${platform} has no authorization flow`);
  const requested = scopes ?? authorization.features.formerScopes;
  const accounts = await authorization.exchange(
    {
      code,
      redirectUri: redirectUri(ports, platform),
      scopes: requested,
      ...(codeVerifier !== undefined && { codeVerifier }),
    },
    await ports.toolsFor(platform),
  );
  if (accounts.length === 0) {
    throw new UnusableLoginError('no_accounts', `This ${title} login has no account to publish to.`);
  }
  const features = authorization.featuresOf?.(requested) ?? authorization.features;
  for (const { tokens } of accounts) requirePublishing(title, features, tokens.scopes);
  return [...new Map(accounts.map((account) => [account.platformAccountId, account])).values()];
}

/** The error codes for a user who declined. LinkedIn has its own. */
const refusals = new Set(['access_denied', 'user_cancelled_login', 'user_cancelled_authorize']);

/** TikTok's and LinkedIn's codes for a login that requests a scope that the app does not have. */
const scopeRefusals = new Set(['invalid_scope', 'unauthorized_scope_error']);

/**
 * Returns the error for a return without a code. Anybody can write the query of a link, so its texts are logged and never shown.
 */
function denial({ warn }: LoginPorts, { platform }: Connection, answer: URLSearchParams): ConnectionError {
  const error = answer.get('error') ?? '';
  if (refusals.has(error)) return 'access_denied';
  const secrets = [answer.get('state') ?? '', answer.get('code') ?? ''];
  const reason = answer.get('error_description') ?? answer.get('error_message') ?? '';
  warn('a platform returned no code', {
    platform,
    platformCode: without(secrets, error),
    reason: without(secrets, reason),
    ...(scopeRefusals.has(error) && {
      advice: 'the app lacks a requested scope: leave its feature out of the features of the stage',
    }),
  });
  return 'platform_refused';
}
