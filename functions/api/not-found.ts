import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { welcome, welcomePage } from '../../lib/api-contract/pages/welcome.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { leadingCode } from '../../lib/links/codes.ts';
import { allowedMethods } from '../middleware/allowed-methods.ts';
import { inTime } from '../middleware/in-time.ts';
import { noSuchRoute } from '../middleware/no-such-route.ts';
import { pageReply, wantsPage } from '../middleware/page-reply.ts';
import { addressOf, panelRequest } from '../middleware/panel-request.ts';
import { type CountedEvent, RequestLimits, rateLimitHeaders } from '../middleware/rate-limits.ts';
import { errorReply, jsonReply, type Reply, securityHeaders } from '../middleware/reply.ts';
import { errorAnswer, requestId } from '../middleware/route.ts';
import { table } from '../wire/aws.ts';
import { panelEdge, ratesPerMinute } from '../wire/settings.ts';
import { handlerFactory } from '../wire/start.ts';
import methodsOfPath from './routes.built.ts';

const isRoot = /^(\/api)?\/?$/;

/**
 * `$default`: every request without a route. At the root it describes the service. Otherwise it responds with 404, or with 405 if
 * the path has other methods, in the usual error body. It redirects a tracked link with a trailing slash to the link itself.
 * Requests below `/v1` count for the rate limit. `OPTIONS` lists the methods of a path.
 */
export const build = handlerFactory(
  { table, ratesPerMinute, panelEdge },
  ({ table, ratesPerMinute, panelEdge }) => {
    const limits = new RequestLimits(table, ratesPerMinute);
    return inTime(
      middy<CountedEvent, Reply, Error, Context>()
        .use(requestId())
        .use(rateLimitHeaders())
        .use(errorAnswer())
        .handler(async (event) => {
          const { http } = event.requestContext;
          if (isRoot.test(http.path) && ['GET', 'HEAD'].includes(http.method)) return welcomeReply(event);
          const code = linkCodeIn(http.path);
          if (code !== undefined && ['GET', 'HEAD'].includes(http.method)) return toLink(code);
          if (/^(\/api)?\/v1(\/|$)/.test(http.path)) {
            const address = addressOf(event, panelRequest(event.headers, panelEdge));
            await limits.countAddress(event, address, systemClock());
          }
          const methods = allowedMethods(methodsOfPath, http.path);
          if (!methods) throw noSuchRoute(event);
          const reply =
            http.method === 'OPTIONS' ? noContent() : errorReply(notAllowed(http.method, methods), event);
          reply.headers['allow'] = [...methods, 'OPTIONS'].join(', ');
          // A response to HEAD has no body: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
          if (http.method === 'HEAD') delete reply.body;
          return reply;
        }),
    );
  },
);

/** Returns the code of a tracked link that is followed by something its route does not take, such as a slash. */
function linkCodeIn(path: string): string | undefined {
  const [, rest] = /^(?:\/api)?\/r\/(.+)$/.exec(path) ?? [];
  return rest === undefined ? undefined : leadingCode(rest);
}

/** Redirects to the link's own route, which counts the click. */
const toLink = (code: string): Reply => ({
  statusCode: 302,
  headers: { location: `/r/${code}`, 'cache-control': 'no-store', ...securityHeaders },
});

const noContent = (): Reply => ({
  statusCode: 204,
  headers: { 'cache-control': 'no-store', ...securityHeaders },
});

const notAllowed = (method: string, methods: readonly string[]) =>
  new HeraldError(
    'method_not_allowed',
    `${method.slice(0, 20)} is not a method of this path; it has ${methods.join(', ')}`,
  );

/**
 * Returns the response at the root of the API: a page for browsers, which ask for HTML explicitly, and JSON for all other
 * clients.
 */
function welcomeReply(event: APIGatewayProxyEventV2): Reply {
  const reply = wantsPage(event) ? pageReply(welcomePage()) : jsonReply(200, welcome);
  reply.headers['vary'] = 'accept';
  // A response to HEAD has no body: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
  if (event.requestContext.http.method === 'HEAD') delete reply.body;
  return reply;
}
