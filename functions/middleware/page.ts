import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ConnectionOutcome } from '../../lib/connections/outcome.ts';
import { answerTo, type BrowserAnswer } from '../../lib/connections/pages.ts';
import type { BrowserPorts, Visit } from '../../lib/connections/ports.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { table } from '../wire/aws.ts';
import { reportError, reportWarning } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { publicBaseUrl } from '../wire/settings.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { type Cookies, cookieNamed } from './cookie-named.ts';
import { errorPage, latePageReply } from './error-page.ts';
import { readForm } from './form.ts';
import { inTime } from './in-time.ts';
import { pageHeaders, pageReply } from './page-reply.ts';
import type { Reply } from './reply.ts';
import { requestId } from './route.ts';

/** A browser's request: its connection attempt, and the fields of its query or form. */
export interface PageRequest {
  readonly visit: Visit;
  readonly method: string;
  readonly fields: URLSearchParams;
}

/**
 * Creates the handler of a route that people's browsers visit. Whatever happens, it responds with a page or a redirect.
 *
 * @param uses the verb's dependencies besides those of every page
 */
export function pageHandler<Uses extends Wires>(
  uses: Uses,
  verb: (ports: BrowserPorts & Wired<Uses>, request: PageRequest) => Promise<ConnectionOutcome>,
) {
  return handlerFactory({ ...uses, table, toolsFor, publicBaseUrl }, (dependencies) =>
    inTime(
      middy<APIGatewayProxyEventV2, Reply, Error, Context>()
        .use(requestId())
        .use(errorPage())
        .handler(async (event) => {
          const ports = {
            ...dependencies,
            authorizationFor,
            now: systemClock(),
            report: reportError,
            warn: reportWarning,
          };
          return browserReply(answerTo(await verb(ports, pageRequest(event, dependencies.publicBaseUrl))));
        }),
      latePageReply,
    ),
  );
}

function pageRequest(event: APIGatewayProxyEventV2, publicBaseUrl: string): PageRequest {
  const { method } = event.requestContext.http;
  const fields = method === 'POST' ? readForm(event) : new URLSearchParams(event.rawQueryString);
  const visit = {
    state: fields.get('state') ?? '',
    platform: event.pathParameters?.['platform'] ?? '',
    browserSecret: browserSecretOf(event),
    isSameOrigin: isFromOwnPage(event.headers, publicBaseUrl),
  };
  return { visit, method, fields };
}

function browserReply(answer: BrowserAnswer): Reply {
  const cookies = answer.browserSecret === undefined ? {} : { cookies: [cookieOf(answer.browserSecret)] };
  if ('redirectTo' in answer) {
    return { statusCode: 303, headers: { ...pageHeaders, location: answer.redirectTo }, ...cookies };
  }
  return { ...pageReply(answer), ...cookies };
}

/**
 * `__Host-` makes browsers accept the cookie only with `Secure`, `Path=/` and without `Domain`, so no other host, not even a
 * subdomain, can set it (RFC 6265bis, section 4.1.3.2). Loopback http counts as secure in browsers.
 */
const cookieName = '__Host-connect';

/** The longest that one step of an attempt may take. */
const maxAgeSeconds = 600;

/** The form of a secret: letters and digits, as `randomToken(43)` makes them. */
const secretPattern = /^[0-9A-Za-z]{43}$/;

/**
 * Sets the browser's secret. `Lax` sends it when a platform redirects back, and not with a form of another site:
 * https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#section-5.6.7
 */
function cookieOf(secret: string): string {
  return `${cookieName}=${secret}; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`;
}

/** Returns the browser's secret; `undefined` if it sent none, several, or one that we cannot have made. */
export function browserSecretOf(event: Cookies): string | undefined {
  const value = cookieNamed(cookieName, event);
  return value !== undefined && secretPattern.test(value) ? value : undefined;
}

/**
 * Returns true if a form may come from one of our own pages. Browsers send `Origin` with every POST and, except for old ones,
 * `Sec-Fetch-Site`: https://www.w3.org/TR/fetch-metadata/. If both are absent, the cookie's `SameSite` still protects.
 */
function isFromOwnPage(headers: APIGatewayProxyEventV2['headers'], publicBaseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwnOrigin = origin === undefined || origin === new URL(publicBaseUrl).origin;
  return isOwnOrigin && (site === undefined || site === 'same-origin');
}
