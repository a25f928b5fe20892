import { createHash, randomBytes } from 'node:crypto';
import type { Account } from '../../../lib/accounts/schemas.ts';
import type { Vault } from '../../../lib/accounts/vault.ts';
import { saveAccounts } from '../../../lib/connections/save-accounts.ts';
import { namesOf, scopesToRequest } from '../../../lib/platforms/contract/features.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Platforms, redirectUri } from '../platforms/platforms.ts';
import { currentProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';
import type { PlannedAccount } from './plan.ts';

interface ConnectPorts {
  readonly world: World;
  readonly table: Table;
  readonly vault: Vault;
  readonly platforms: Platforms;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

/**
 * Connects a user's account by the platform's whole login, as a browser would. Runs in a simulated process.
 *
 * @param username the user who consents
 * @throws PlatformError if the platform fails
 */
export async function connectAccount(
  { world, table, vault, platforms, toolsFor }: ConnectPorts,
  workspaceId: string,
  { platform, as }: PlannedAccount,
  username: string,
): Promise<Account> {
  const authorization = authorizationFor(platform, as);
  if (!authorization) throw new Error(`${platform} has no authorization`);
  const tools = await toolsFor(platform);
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const pkce = authorization.usesPkce;
  const scopes = scopesToRequest(authorization.features, namesOf(authorization.features));
  const request = { state: 'state', redirectUri, scopes, ...(pkce && { codeChallenge }) };
  const page = new URL(authorization.authorizationUrl(request, tools));
  page.searchParams.set('login', username);
  page.searchParams.set('approve', '1');
  const consent = { method: 'GET', target: `/${page.host}${page.pathname}${page.search}`, headers: {} };
  const served = await world.call(currentProcess(), `consent on ${platform}`, () =>
    platforms.serve(platform, consent),
  );
  const location = served.kind === 'answer' ? served.answer.headers?.['location'] : undefined;
  const code = location && new URL(location).searchParams.get('code');
  if (!code) throw new Error(`${platform} gave no code: ${JSON.stringify(served)}`);
  const grant = { code, redirectUri, scopes, ...(pkce && { codeVerifier }) };
  const [connectable] = await authorization.exchange(grant, tools);
  if (!connectable) throw new Error(`${platform} gave no account`);
  const ports = {
    table,
    vault,
    now: tools.now(),
    publicBaseUrl: new URL(redirectUri).origin,
    authorizationFor: () => authorization,
    toolsFor: async () => tools,
    report: () => undefined,
  };
  const [account] = (await saveAccounts(ports, { workspaceId, platform }, [connectable])) ?? [];
  if (!account) throw new Error(`the account on ${platform} was not stored`);
  return account;
}
