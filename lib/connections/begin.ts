import { createHash } from 'node:crypto';
import type { Context } from '../api-contract/context.ts';
import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { invalidField } from '../kernel/errors.ts';
import { randomToken } from '../kernel/ids.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { type ConnectionPorts, redirectUri } from './ports.ts';
import type { BeginConnectionBody, BegunConnection } from './schemas.ts';
import { insertConnection } from './store.ts';

/** How long the user may take at the platform, and then again to choose accounts. */
export const patienceMs = 10 * minuteMs;

/**
 * Begins a platform's authorization. Only the state ties the browser's return to this workspace. So the state cannot be
 * guessed, and the table holds only its digest.
 *
 * @throws HeraldError `invalid` (field `platform`) if the platform is not supported yet, (field `as`) if the platform
 *   does not distinguish members and organizations; `unavailable` if its credentials are missing
 */
export async function beginConnection(
  context: Context & ConnectionPorts,
  platform: Platform,
  { redirectUrl, as }: BeginConnectionBody,
): Promise<BegunConnection> {
  if (as !== undefined && platform !== 'linkedin') throw invalidField('as', 'is for linkedin only');
  const authorization = context.authorizationFor(platform, as);
  if (!authorization) throw invalidField('platform', `${platform} cannot be connected yet`);
  const tools = await context.toolsFor(platform);
  const state = randomToken(43);
  const codeVerifier = authorization.usesPkce ? randomToken(64) : undefined;
  const expiresAt = toTimestamp(context.now + patienceMs);
  const { workspaceId } = context;
  await insertConnection(context.table, state, {
    workspaceId,
    platform,
    as,
    redirectUrl,
    codeVerifier,
    expiresAt,
  });
  const authUrl = authorization.authorizationUrl(
    {
      state,
      redirectUri: redirectUri(context, platform),
      ...(codeVerifier !== undefined && { codeChallenge: codeChallenge(codeVerifier) }),
    },
    tools,
  );
  return { authUrl, state, expiresAt };
}

/** S256 of RFC 7636. */
function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}
