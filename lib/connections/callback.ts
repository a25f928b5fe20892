import { toTimestamp } from '../kernel/clock.ts';
import { randomToken } from '../kernel/ids.ts';
import type { ConnectableAccount } from '../platforms/contract/authorization.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { quote } from '../platforms/shared/json.ts';
import { requireScopes } from '../platforms/shared/oauth.ts';
import { patienceMs } from './begin.ts';
import { sealCandidates } from './candidates.ts';
import { type ConnectionOutcome, platformTitles, reasonOf, refusedAs } from './outcome.ts';
import { type BrowserPorts, redirectUri } from './ports.ts';
import { saveAccounts } from './save-accounts.ts';
import type { Connection } from './schemas.ts';
import { insertChoice, takeConnection } from './store.ts';

/**
 * Handles the browser's return from the platform. Uses up the state first, so that one answer connects once. Every later
 * failure sends the user back to where they came from.
 *
 * @param platform from the URL's path
 * @param answer the URL's query: `code` or `error`, and `state` (RFC 6749, 4.1.2)
 */
export async function completeConnection(
  ports: BrowserPorts,
  platform: string,
  answer: URLSearchParams,
): Promise<ConnectionOutcome> {
  const taken = await takeConnection(ports.table, answer.get('state') ?? '', {
    platform,
    now: ports.now,
    writeId: randomToken(22),
  });
  if (taken.state !== 'taken') return refusedAs(taken.state, taken.connection);
  const { connection } = taken;
  try {
    return await connect(ports, connection, await exchange(ports, connection, answer));
  } catch (error) {
    return { kind: 'refused', reason: reasonOf(error, ports), redirectUrl: connection.redirectUrl };
  }
}

async function exchange(
  ports: BrowserPorts,
  { platform, as, codeVerifier }: Connection,
  answer: URLSearchParams,
): Promise<readonly ConnectableAccount[]> {
  const title = platformTitles[platform];
  const code = answer.get('code');
  if (answer.has('error') || !code) throw new PlatformError('rejected', denial(title, answer));
  const authorization = ports.authorizationFor(platform, as);
  if (!authorization) throw new Error(`${platform} has no authorization flow`);
  const accounts = await authorization.exchange(
    { code, redirectUri: redirectUri(ports, platform), ...(codeVerifier !== undefined && { codeVerifier }) },
    await ports.toolsFor(platform),
  );
  for (const { tokens } of accounts) requireScopes(title, authorization.requiredScopes, tokens.scopes);
  return [...new Map(accounts.map((account) => [account.platformAccountId, account])).values()];
}

/** The error codes that mean that the user declined. LinkedIn has its own. */
const refusals = new Set(['access_denied', 'user_cancelled_login', 'user_cancelled_authorize']);

function denial(title: string, answer: URLSearchParams): string {
  const error = answer.get('error');
  if (error !== null && refusals.has(error)) {
    return `You did not give permission on ${title}, so nothing was connected.`;
  }
  const reason = quote(answer.get('error_description') ?? answer.get('error_message') ?? error ?? '');
  return reason === ''
    ? `${title} sent an answer without a code. Connect the account again.`
    : `${title} refused: ${reason}`;
}

async function connect(
  ports: BrowserPorts,
  connection: Connection,
  accounts: readonly ConnectableAccount[],
): Promise<ConnectionOutcome> {
  const { workspaceId, platform, redirectUrl } = connection;
  if (accounts.length === 0) {
    throw new PlatformError(
      'rejected',
      `This ${platformTitles[platform]} login has no account to publish to.`,
    );
  }
  if (accounts.length === 1) {
    const saved = await saveAccounts(ports, connection, accounts);
    return { kind: 'connected', accounts: saved ?? [], redirectUrl };
  }
  const token = randomToken(43);
  const candidates = await sealCandidates(ports.vault, { workspaceId, token }, accounts);
  const expiresAt = toTimestamp(ports.now + patienceMs);
  await insertChoice(ports.table, token, { workspaceId, platform, redirectUrl, candidates, expiresAt });
  return { kind: 'several', choiceUrl: `${ports.publicBaseUrl}/oauth/${platform}/choose?choice=${token}` };
}
