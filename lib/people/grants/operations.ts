import * as z from 'zod';
import { Permission } from '../../access/permissions.ts';
import { Id, Timestamp } from '../../api-contract/fields.ts';
import { operation } from '../../api-contract/operation.ts';
import { protectedResourcePath } from './resources.ts';
import { AuthorizationView } from './views.ts';

/**
 * The operations by which client programs get access in a person's name: OAuth 2.1 with client ID metadata documents, for the
 * server for agents. The OpenAPI document leaves them out: clients find them by the metadata.
 */
const Parameter = z.string().max(4_000).optional();

/** The parameters of an authorization request that mean something here. Others are ignored (RFC 6749, section 3.1). */
const AuthorizationParameters = z.object({
  client_id: Parameter,
  redirect_uri: Parameter,
  response_type: Parameter,
  response_mode: Parameter,
  code_challenge: Parameter,
  code_challenge_method: Parameter,
  resource: Parameter,
  scope: Parameter,
  state: Parameter,
  request: Parameter,
  request_uri: Parameter,
});

const Texts = z.array(z.string());

const ResourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: Texts,
  scopes_supported: Texts,
  bearer_methods_supported: Texts,
  resource_name: z.string(),
  resource_documentation: z.string(),
});

const ServerMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  code_challenge_methods_supported: Texts,
  client_id_metadata_document_supported: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
  service_documentation: z.string(),
});

const metadata = {
  handler: 'grants/metadata',
  method: 'GET',
  access: 'public',
  settings: ['PUBLIC_BASE_URL'],
} as const;

const resourceMetadata = {
  ...metadata,
  replies: { 200: { description: 'The metadata', body: ResourceMetadata } },
} as const;

export const resourceMetadataOperation = operation({
  ...resourceMetadata,
  id: 'getResourceMetadata',
  path: protectedResourcePath,
  summary: 'Metadata of the server for agents (RFC 9728)',
});

export const resourceMetadataAtOperation = operation({
  ...resourceMetadata,
  id: 'getResourceMetadataAt',
  path: `${protectedResourcePath}/mcp`,
  summary: 'Metadata of the server for agents (RFC 9728)',
});

export const prefixedResourceMetadataOperation = operation({
  ...resourceMetadata,
  id: 'getPrefixedResourceMetadata',
  path: `${protectedResourcePath}/api/mcp`,
  summary: 'Metadata of the server for agents under its other address (RFC 9728)',
});

export const serverMetadataOperation = operation({
  ...metadata,
  id: 'getAuthorizationServerMetadata',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Metadata of the authorization server (RFC 8414)',
  replies: { 200: { description: 'The metadata', body: ServerMetadata } },
});

export const beginAuthorizationOperation = operation({
  id: 'beginAuthorization',
  handler: 'grants/authorize',
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Go to the page of the panel that asks for consent',
  access: 'public',
  replies: { 303: { description: 'Redirects to the panel', headers: { Location: 'A page of the panel' } } },
  refusals: { 503: 'This service has no panel yet' },
  rights: { panelUrl: true },
  settings: ['PLAIN_HTTP_HOSTS'],
});

const Refused = z.object({ error: z.string(), error_description: z.string() });
const refused = { description: 'Refused, in the form of RFC 6749, section 5.2', body: Refused };
const tooMany = { 429: 'Too many requests for this grant, or from this address' };

/** The rights of the token endpoint. It changes tokens, and never what a grant may do. */
const redeems = {
  reads: { GetItem: ['KEY#'], BatchGetItem: ['GRANT#', 'PERSON#'] },
  writes: { UpdateItem: ['GRANT#', 'RATE#'], PutItem: ['AUDIT#'] },
} as const;

export const issueTokensOperation = operation({
  id: 'issueTokens',
  handler: 'grants/tokens',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Redeem a code or a refresh token (RFC 6749)',
  access: 'public',
  bodyType: 'application/x-www-form-urlencoded',
  replies: {
    200: {
      description: 'The tokens',
      body: z.object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        refresh_token: z.string(),
        scope: z.string(),
      }),
    },
    400: refused,
    503: { ...refused, description: 'The workspace is suspended' },
  },
  refusals: tooMany,
  rights: redeems,
  settings: [
    'RATE_LIMIT_PER_MINUTE',
    'KEY_RATE_LIMIT_PER_MINUTE',
    'WORKSPACE_RATE_LIMIT_PER_MINUTE',
    'PANEL_ORIGIN_SECRET_DIGEST',
    'PLAIN_HTTP_HOSTS',
  ],
});

export const revokeTokenOperation = operation({
  id: 'revokeToken',
  handler: 'grants/tokens',
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Give an access back (RFC 7009)',
  access: 'public',
  bodyType: 'application/x-www-form-urlencoded',
  replies: { 200: { description: 'Given back, or was not known', body: z.object({}) }, 400: refused },
  refusals: tooMany,
  rights: redeems,
});

const readsDocument = ['PUBLIC_BASE_URL', 'PLAIN_HTTP_HOSTS'] as const;

export const readAuthorizationOperation = operation({
  id: 'getAuthorization',
  handler: 'panel/read-authorization',
  method: 'GET',
  path: '/panel/authorization',
  summary: 'Read who asks for access, and for which',
  access: 'session',
  query: AuthorizationParameters,
  replies: { 200: { description: 'The request', body: AuthorizationView } },
  settings: readsDocument,
});

export const authorizeClientOperation = operation({
  id: 'authorizeClient',
  handler: 'panel/authorize-client',
  verb: 'key.create',
  method: 'POST',
  path: '/panel/authorization',
  summary: 'Give a client access',
  access: 'person',
  body: z.object({
    request: AuthorizationParameters,
    permissions: z.array(Permission).min(1),
    accountIds: z.array(Id).min(1).max(100).optional(),
    expiresAt: Timestamp,
  }),
  replies: {
    201: {
      description: 'Given. The address has the code for the client',
      body: z.object({ redirectTo: z.string() }),
    },
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#', 'PERSON#'], BatchGetItem: ['WORKSPACE#'] },
    writes: { PutItem: ['WORKSPACE#', 'KEY#', 'GRANT#'], UpdateItem: ['WORKSPACE#'] },
  },
  settings: readsDocument,
});
