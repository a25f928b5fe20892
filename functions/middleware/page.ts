import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { html } from '../../lib/api-contract/pages/html.ts';
import { page } from '../../lib/api-contract/pages/page.ts';
import type { ConnectionOutcome } from '../../lib/connections/outcome.ts';
import { answerTo, type BrowserAnswer } from '../../lib/connections/pages.ts';
import type { BrowserPorts } from '../../lib/connections/ports.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { table, vault } from '../wire/aws.ts';
import { logger, reportError } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { publicBaseUrl } from '../wire/settings.ts';
import { handlerFactory } from '../wire/start.ts';
import { type Reply, securityHeaders } from './reply.ts';
import { requestId } from './route.ts';

/**
 * Creates the handler of a route that platforms redirect people's browsers to. Whatever happens, it responds with a page
 * or a redirect.
 */
export function pageHandler(
  verb: (ports: BrowserPorts, event: APIGatewayProxyEventV2) => Promise<ConnectionOutcome>,
) {
  return handlerFactory({ table, vault, toolsFor, publicBaseUrl }, (dependencies) =>
    middy<APIGatewayProxyEventV2, Reply, Error, Context>()
      .use(requestId())
      .use({ onError: answerWithPage })
      .handler(async (event) => {
        const ports = { ...dependencies, authorizationFor, now: systemClock(), report: reportError };
        return browserReply(answerTo(await verb(ports, event)));
      }),
  );
}

function answerWithPage(request: middy.Request<APIGatewayProxyEventV2, Reply>): void {
  logger.error('the request failed', request.error as Error);
  const { requestId: id } = request.event.requestContext;
  request.response = browserReply(
    page({
      status: 500,
      title: 'Something went wrong on our side',
      body: html`<p>Load this page again in a moment. If that does not help, quote request ${id}.</p>`,
    }),
  );
}

/** The URLs of these pages contain codes and tokens, so caches must not keep them and other sites must not see them. */
const headers = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  ...securityHeaders,
  'x-robots-tag': 'noindex',
};

function browserReply(answer: BrowserAnswer): Reply {
  if ('redirectTo' in answer) {
    return { statusCode: 303, headers: { ...headers, location: answer.redirectTo } };
  }
  return {
    statusCode: answer.status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': answer.contentSecurityPolicy,
    },
    body: answer.html,
  };
}

/** The fields of a form. API Gateway encodes bodies with this content type in base64. */
export function readForm({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): URLSearchParams {
  return new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body);
}
