/**
 * Where the API is, as its document states it.
 *
 * @param baseUrl without a final slash
 */
export const serversAt = (baseUrl: string) => [
  { url: baseUrl },
  { url: `${baseUrl}/api`, description: 'The same, below a prefix' },
];
