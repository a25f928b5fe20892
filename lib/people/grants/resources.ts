/** The paths of the one protected resource: the server for agents, with and without the API's prefix. */
export const resourcePaths = ['/mcp', '/api/mcp'] as const;

export const protectedResourcePath = '/.well-known/oauth-protected-resource';

/** Returns the URLs of the resource. @param baseUrl of the API, without a final slash */
export const resourcesAt = (baseUrl: string): string[] => resourcePaths.map((path) => `${baseUrl}${path}`);

/** Returns the URL of the metadata of the resource at a path (RFC 9728, section 3.1). */
export const resourceMetadataUrl = (baseUrl: string, path: string): string =>
  `${baseUrl}${protectedResourcePath}${path.startsWith('/api/') ? '/api/mcp' : '/mcp'}`;
