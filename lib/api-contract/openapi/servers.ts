/**
 * The `servers` of the OpenAPI document.
 *
 * @param baseUrl without a final slash
 */
export const serversAt = (baseUrl: string) => [
  { url: baseUrl },
  { url: `${baseUrl}/api`, description: 'The same API under a prefix' },
];
