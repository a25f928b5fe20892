/**
 * Returns the `servers` of the OpenAPI document.
 *
 * @param baseUrl the base URL, without a final slash
 */
export const serversAt = (baseUrl: string) => [
  { url: baseUrl },
  { url: `${baseUrl}/api`, description: 'The same API under a prefix' },
];
