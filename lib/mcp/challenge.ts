import { resourceMetadataUrl } from '../people/grants/resources.ts';

/** The path of the server for agents, which is also the resource that access tokens are bound to. */
export const mcpPath = '/mcp';

/**
 * Returns the value of `WWW-Authenticate` that makes a client begin its login: it names the metadata of the resource.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization, https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 *
 * @param baseUrl the base URL of the service, without a final slash
 * @param path the path of the request, with or without `/api`: clients compare it with the resource that the metadata names
 * @param isRefused true if the request had credentials
 */
export function challenge(baseUrl: string, path: string, isRefused: boolean): string {
  const metadata = `resource_metadata="${resourceMetadataUrl(baseUrl, path)}"`;
  return isRefused
    ? `Bearer realm="mcp", error="invalid_token", ${metadata}`
    : `Bearer realm="mcp", ${metadata}`;
}
