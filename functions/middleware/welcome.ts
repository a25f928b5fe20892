import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { welcome, welcomePage } from '../../lib/api-contract/pages/welcome.ts';
import { pageReply, wantsPage } from './page-reply.ts';
import { jsonReply, type Reply } from './reply.ts';

/**
 * Returns the response at the root of the API: a page for browsers, which ask for HTML explicitly, and JSON for all other
 * clients.
 */
export function welcomeReply(event: APIGatewayProxyEventV2): Reply {
  const reply = wantsPage(event) ? pageReply(welcomePage()) : jsonReply(200, welcome);
  reply.headers['vary'] = 'accept';
  // A response to HEAD has no body: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
  if (event.requestContext.http.method === 'HEAD') delete reply.body;
  return reply;
}
