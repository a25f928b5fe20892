import { referenceTo } from '../../access/actor.ts';
import type { Permission } from '../../access/permissions.ts';
import { auditPart } from '../../audit/record.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { getItem } from '../../table/items.ts';
import { membershipKey } from '../../table/keys.ts';
import { validateLimits } from '../../workspaces/key-limits.ts';
import { inWorkspace } from '../../workspaces/operator.ts';
import type { ListedKey } from '../../workspaces/schemas.ts';
import { getWorkspace, insertKey } from '../../workspaces/store.ts';
import { type KeysContext, namingFields } from '../keys.ts';
import { Membership } from '../schemas.ts';
import {
  answerUrl,
  type Parameters,
  type RefusedRequest,
  readAuthorizationRequest,
} from './authorization-request.ts';
import { type FetchClientDocument, hostOf } from './client-document.ts';
import { isLoopback } from './redirect-uri.ts';
import { codeMs, maxGrantMs } from './schemas.ts';
import { putGrantPart } from './store.ts';
import { familyDigest, grantTokenDigest, newHalf, tokenOf } from './tokens.ts';
import type { AuthorizationView } from './views.ts';

export interface ConsentPorts {
  readonly fetchClientDocument: FetchClientDocument;
  /** The base URL of the API, which is the issuer. */
  readonly publicBaseUrl: string;
}

/**
 * Describes an authorization request to the person who decides about it.
 *
 * @throws HeraldError `invalid` if the client or its redirect URI cannot be trusted
 */
export async function describeAuthorization(
  { fetchClientDocument, publicBaseUrl: baseUrl }: ConsentPorts,
  parameters: Parameters,
): Promise<AuthorizationView> {
  const asked = await readAuthorizationRequest({ fetchClientDocument, baseUrl }, parameters);
  const { client, redirectUri } = asked;
  const isRefused = 'error' in asked;
  return {
    client: { id: client.id, name: client.name, host: hostOf(client.id) },
    redirectHost: new URL(redirectUri).host,
    isLoopback: isLoopback(redirectUri),
    permissions: isRefused ? [] : [...asked.permissions],
    problem: isRefused ? asked.description : null,
    declineUrl: answerUrl(asked, baseUrl, isRefused ? refusalOf(asked) : { error: 'access_denied' }),
  };
}

const refusalOf = ({ error, description }: RefusedRequest) => ({ error, error_description: description });

/** The access that a person gives a client. */
export interface Consent {
  readonly request: Parameters;
  readonly permissions: readonly Permission[];
  readonly accountIds?: readonly string[] | undefined;
  readonly expiresAt: string;
}

/**
 * Gives a client access in the person's name: stores a grant, which is listed, limited and revoked like an API key.
 *
 * @returns the URL that brings the authorization code to the client
 * @throws HeraldError `invalid`, naming the field; `conflict` as for a new API key
 */
export async function authorizeClient(
  context: KeysContext & ConsentPorts,
  { request, ...limits }: Consent,
): Promise<{ readonly redirectTo: string }> {
  const { table, now, actor, workspaceId, fetchClientDocument, publicBaseUrl: baseUrl } = context;
  // Keys and operators may not issue keys, so this is a person.
  if (actor.kind !== 'person') throw new HeraldError('permission_missing', 'only people give access');
  const asked = await readAuthorizationRequest({ fetchClientDocument, baseUrl }, request);
  if ('error' in asked) throw invalidField('request', asked.description);
  if (Date.parse(limits.expiresAt) > now + maxGrantMs)
    throw invalidField('expiresAt', 'must be within a year');
  const membership = await getItem(table, membershipKey(actor.id, workspaceId));
  if (!membership) throw notFound('workspace');
  const workspace = await getWorkspace(table, workspaceId);
  const family = newHalf();
  const key: ListedKey = {
    id: newId(now),
    workspaceId,
    name: asked.client.name,
    digest: familyDigest(family),
    ...(await namingFields(() => validateLimits(context, workspaceId, limits))),
    createdAt: toTimestamp(now),
    createdBy: referenceTo(actor),
    grant: {
      clientId: asked.client.id,
      clientName: asked.client.name,
      personId: actor.id,
      memberId: Membership.parse(membership).memberId,
    },
  };
  const code = { kind: 'code', family, secret: newHalf() } as const;
  const note = `to ${hostOf(asked.client.id)}, which returns to ${new URL(asked.redirectUri).host}`;
  await insertKey(table, workspace, key, auditPart(inWorkspace(context, workspaceId), key, note), [
    putGrantPart(
      table,
      {
        keyId: key.id,
        clientId: asked.client.id,
        redirectUri: asked.redirectUri,
        resource: asked.resource,
        code: {
          digest: grantTokenDigest(code),
          until: toTimestamp(now + codeMs),
          challenge: asked.challenge,
        },
        version: 0,
      },
      limits.expiresAt,
    ),
  ]);
  return { redirectTo: answerUrl(asked, baseUrl, { code: tokenOf(code) }) };
}
