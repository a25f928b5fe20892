import { completeConnection } from '../../../lib/connections/callback.ts';
import { pageHandler } from '../../middleware/page.ts';

/** `GET /oauth/{platform}/callback` */
export const build = pageHandler((ports, { pathParameters, rawQueryString }) => {
  const platform = pathParameters?.['platform'] ?? '';
  return completeConnection(ports, platform, new URLSearchParams(rawQueryString));
});
