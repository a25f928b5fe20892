import { createHash } from 'node:crypto';
import { randomToken } from '../kernel/ids.ts';
import { getWorkspace } from '../workspaces/store.ts';
import { errorCodeOf } from './errors.ts';
import { type ConnectionOutcome, refuseVisit } from './outcome.ts';
import { type BrowserPorts, redirectUri, type Visit } from './ports.ts';
import type { Connection } from './schemas.ts';
import { bindBrowser, findPending } from './store.ts';

/**
 * Shows the workspace that asks for access and the platform. Writes nothing, because link previews and prefetchers open links
 * too.
 */
export async function introduce(ports: BrowserPorts, visit: Visit): Promise<ConnectionOutcome> {
  const { table, now } = ports;
  const { state, platform } = visit;
  const found = await findPending(table, { state, platform, now });
  if (found.state !== 'usable') return refuseVisit(ports, found, visit);
  const { connection } = found;
  try {
    const [{ id, name }, platformUrl] = await Promise.all([
      getWorkspace(table, connection.workspaceId),
      urlAtPlatform(ports, connection, state),
    ]);
    const { redirectUrl } = connection;
    const workspace = { id, name };
    const shown = { state, platform: connection.platform, workspace, redirectUrl, platformUrl };
    return { kind: 'introduction', ...shown };
  } catch (error) {
    return {
      kind: 'refused',
      error: errorCodeOf(error, ports, connection.platform),
      platform: connection.platform,
      redirectUrl: undefined,
    };
  }
}

/**
 * Binds the attempt to this browser and sends it to the platform. A second browser that does the same replaces the first, which
 * is then refused when it returns, so two people cannot share an attempt.
 */
export async function leaveForPlatform(ports: BrowserPorts, visit: Visit): Promise<ConnectionOutcome> {
  const { table, now } = ports;
  const { state, platform, isSameOrigin } = visit;
  if (!isSameOrigin) return { kind: 'unusable', why: 'foreign form' };
  // A browser keeps its secret, so that attempts in two of its tabs do not disturb each other.
  const browserSecret = visit.browserSecret ?? randomToken(43);
  const found = await bindBrowser(table, { state, platform, browserSecret, now });
  if (found.state !== 'usable') return refuseVisit(ports, found, visit);
  return { kind: 'continue', url: await urlAtPlatform(ports, found.connection, state), browserSecret };
}

/** @throws HeraldError `unavailable` if the platform's credentials are missing */
async function urlAtPlatform(
  ports: BrowserPorts,
  { platform, as, codeVerifier, scopes }: Connection,
  state: string,
): Promise<string> {
  const authorization = ports.authorizationFor(platform, as);
  if (!authorization) throw new Error(`${platform} has no authorization flow`);
  const request = {
    state,
    redirectUri: redirectUri(ports, platform),
    scopes: scopes ?? authorization.features.formerScopes,
    ...(codeVerifier !== undefined && { codeChallenge: codeChallenge(codeVerifier) }),
  };
  return authorization.authorizationUrl(request, await ports.toolsFor(platform));
}

/** Returns the S256 challenge of RFC 7636. */
function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}
