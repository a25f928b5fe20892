import { Permission } from '../../access/permissions.ts';
import { usualPermissions } from './authorization-request.ts';
import { resourcePaths } from './resources.ts';

/**
 * Returns the metadata of the protected resource (RFC 9728, section 2). The scopes are the least that is useful, because clients ask
 * for all that they find here (MCP specification 2026-07-28, "Scope Selection Strategy").
 *
 * @param path of the resource; clients that do not know where it is get the first
 */
export const resourceMetadata = (baseUrl: string, path: string = resourcePaths[0]) => ({
  resource: `${baseUrl}${path}`,
  authorization_servers: [baseUrl],
  scopes_supported: [...usualPermissions],
  bearer_methods_supported: ['header'],
  resource_name: 'Herald',
  resource_documentation: `${baseUrl}/docs`,
});

/** Returns the metadata of the authorization server (RFC 8414, section 2). Its issuer is the API's own address. */
export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  scopes_supported: Permission.options,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${baseUrl}/docs`,
});
