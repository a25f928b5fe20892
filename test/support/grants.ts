import { createHash } from 'node:crypto';
import type { Permission } from '../../lib/access/permissions.ts';
import { dayMs, toTimestamp } from '../../lib/kernel/clock.ts';
import type { Parameters as Asked } from '../../lib/people/grants/authorization-request.ts';
import type { FetchClientDocument } from '../../lib/people/grants/client-document.ts';
import { authorizeClient } from '../../lib/people/grants/consent.ts';
import {
  type IssuedTokens,
  type RedeemPorts,
  type RefusedTokens,
  redeemCode,
  refreshTokens,
} from '../../lib/people/grants/redeem.ts';
import type { Table } from '../../lib/table/table.ts';
import { startMs } from './builders.ts';
import { aPerson } from './members.ts';

/** That of the functions in tests. */
const publicBaseUrl = 'https://api.example.com';

export const clientId = 'https://agent.example.com/client.json';
export const redirectUri = 'https://agent.example.com/callback?from=herald';
export const resource = `${publicBaseUrl}/mcp`;
export const verifier = 'a-verifier-of-43-characters-or-more-0123456789';
const challenge = createHash('sha256').update(verifier).digest('base64url');

export const clientDocument = (changes: object = {}) => ({
  client_id: clientId,
  client_name: 'Agent',
  redirect_uris: [redirectUri, 'http://localhost/callback'],
  token_endpoint_auth_method: 'none',
  ...changes,
});

/** Answers with this document at the client's own address, and with an error elsewhere. */
export const documentOf =
  (document: object = clientDocument()): FetchClientDocument =>
  async (url) =>
    url === clientId ? { text: JSON.stringify(document) } : { problem: 'the server responded 404' };

/** The parameters of a valid request. `undefined` as a change leaves one out. */
export const askedFor = (changes: Asked = {}): Asked => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  resource,
  state: 'the state',
  ...changes,
});

interface Given {
  readonly now?: number;
  readonly permissions?: readonly Permission[];
  readonly accountIds?: readonly string[];
  readonly expiresAt?: string;
  readonly request?: Asked;
  readonly actor?: ReturnType<typeof aPerson>;
}

/** A person gives the client access. @returns the code that the client gets */
export async function giveAccess(
  table: Table,
  workspaceId: string,
  { now = startMs, request = askedFor(), actor = aPerson(), ...given }: Given = {},
): Promise<string> {
  const context = { table, now, actor, workspaceId, verb: 'key.create', requestId: 'the-consent' } as const;
  const { redirectTo } = await authorizeClient(
    { ...context, publicBaseUrl, fetchClientDocument: documentOf() },
    { request, permissions: ['read'], expiresAt: toTimestamp(now + 30 * dayMs), ...given },
  );
  return new URL(redirectTo).searchParams.get('code') ?? '';
}

export const redeemPorts = (table: Table, now = startMs): RedeemPorts => ({
  table,
  now,
  requestId: 'the-client',
  count: async () => undefined,
});

type CodeInput = Parameters<typeof redeemCode>[1];

/** The client redeems a code. */
export const redeem = (
  table: Table,
  code: string,
  { now, ...changes }: { now?: number } & Partial<Omit<CodeInput, 'code'>> = {},
) =>
  redeemCode(redeemPorts(table, now), {
    clientId,
    resource,
    code,
    verifier,
    redirectUri,
    ...changes,
  });

export const refresh = (
  table: Table,
  refreshToken: string,
  { now, ...changes }: { now?: number; clientId?: string; resource?: string } = {},
) => refreshTokens(redeemPorts(table, now), { clientId, resource, refreshToken, ...changes });

/** @throws Error if the client got no tokens */
export function tokensIn(outcome: IssuedTokens | RefusedTokens): IssuedTokens {
  if ('error' in outcome) throw new Error(`${outcome.error}: ${outcome.error_description}`);
  return outcome;
}
