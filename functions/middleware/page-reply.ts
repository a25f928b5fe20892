import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { html } from '../../lib/api-contract/pages/html.ts';
import { type Page, page } from '../../lib/api-contract/pages/page.ts';
import { logger } from '../wire/logger.ts';
import { type Reply, securityHeaders } from './reply.ts';

/**
 * The URLs of our pages contain codes and tokens, so caches must not keep them and other sites must not see them. With
 * `no-referrer`, browsers would send `Origin: null` with the pages' own forms (https://fetch.spec.whatwg.org/#origin-header).
 */
export const pageHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  ...securityHeaders,
  'x-robots-tag': 'noindex',
};

/** The response that shows a page. */
export function pageReply({ status, html: body, contentSecurityPolicy }: Page): Reply {
  const headers = {
    ...pageHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
  };
  return { statusCode: status, headers, body };
}

/** Logs an error and answers with a page that names the request. */
export function errorPage(): middy.MiddlewareObj<APIGatewayProxyEventV2, Reply> {
  return {
    onError: (request) => {
      logger.error('the request failed', request.error as Error);
      const { requestId: id } = request.event.requestContext;
      request.response = pageReply(
        page({
          status: 500,
          title: 'Something went wrong on our side',
          body: html`<p>Load this page again in a moment. If that does not help, quote request ${id}.</p>`,
        }),
      );
    },
  };
}
