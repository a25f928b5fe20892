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
import { browserSecretOf, cookieOf, isFromOwnPage } from './browser.ts';
import { errorPage } from './error-page.ts';
import { readForm } from './form.ts';
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
