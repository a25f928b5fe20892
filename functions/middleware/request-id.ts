import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { logger } from '../wire/logger.ts';
import type { Reply } from './reply.ts';

/** Every answer carries the id under which its log lines are found. */
export function requestId(): middy.MiddlewareObj<APIGatewayProxyEventV2, Reply> {
  const answer = ({ event, response }: middy.Request<APIGatewayProxyEventV2, Reply>): void => {
    if (response) response.headers['x-request-id'] = event.requestContext.requestId;
  };
  return {
    before: ({ event }) => {
      logger.resetKeys();
      logger.appendKeys({ requestId: event.requestContext.requestId, route: event.routeKey });
    },
    after: answer,
    onError: answer,
  };
}
