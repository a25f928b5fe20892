import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { html } from '../../lib/api-contract/pages/html.ts';
import { page } from '../../lib/api-contract/pages/page.ts';
import { logger } from '../wire/logger.ts';
import { pageReply } from './page-reply.ts';
import type { Reply } from './reply.ts';

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

const latePage = page({
  status: 503,
  title: 'This takes too long at the moment',
  body: html`<p>Load this page again in a few seconds.</p>`,
});

/** Creates the response of a route that browsers visit if it takes too long: see `inTime`. */
export const latePageReply = (): Reply => pageReply(latePage);
