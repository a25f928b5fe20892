import { completeConnection } from '../../../lib/connections/callback.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { browserPorts } from '../../browser-ports.ts';
import { pageHandler } from '../../middleware/page.ts';

/** `GET /oauth/{platform}/callback` */
export const handler = pageHandler(async ({ pathParameters, rawQueryString }) => {
  const platform = pathParameters?.['platform'] ?? '';
  return answerTo(await completeConnection(browserPorts(), platform, new URLSearchParams(rawQueryString)));
});
