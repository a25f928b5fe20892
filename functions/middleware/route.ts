import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { beginLogKeys, logger } from '../wire/logger.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { inTime } from './in-time.ts';
import { errorReply, type Reply } from './reply.ts';

type Answer = (event: APIGatewayProxyEventV2) => Promise<Reply>;

/** Creates the handler of a route that needs no API key and parses its requests itself. */
export function routeHandler<Uses extends Wires>(uses: Uses, create: (dependencies: Wired<Uses>) => Answer) {
  return handlerFactory(uses, (dependencies) =>
    inTime(
      middy<APIGatewayProxyEventV2, Reply, Error, Context>()
        .use(requestId())
        .use(errorAnswer())
        .handler(create(dependencies)),
    ),
  );
}

/** Returns the id that API Gateway gave the request. */
export const requestIdOf = (event: APIGatewayProxyEventV2): string => event.requestContext.requestId;

/** Adds the request's id to its response and to its log lines. */
export function requestId(): middy.MiddlewareObj<APIGatewayProxyEventV2, Reply> {
  const answer = ({ event, response }: middy.Request<APIGatewayProxyEventV2, Reply>): void => {
    if (response) response.headers['x-request-id'] = requestIdOf(event);
  };
  return {
    before: ({ event }) => {
      beginLogKeys({ requestId: requestIdOf(event), route: event.routeKey });
    },
    after: answer,
    onError: answer,
  };
}

/** Returns a HeraldError as it is. Logs any other error and returns 500 without its details. */
export function errorAnswer(): middy.MiddlewareObj<APIGatewayProxyEventV2, Reply> {
  return {
    onError: (request) => {
      const { error } = request;
      if (error instanceof HeraldError) {
        // For operators, unlike other HeraldErrors: its cause says what is missing.
        if (error.kind === 'unavailable') logger.error('the request was refused', error);
        request.response = errorReply(error, request.event);
        return;
      }
      logger.error('the request failed', error as Error);
      request.response = errorReply(
        new HeraldError(
          'internal',
          `something went wrong on our side; quote request ${requestIdOf(request.event)}`,
        ),
        request.event,
      );
    },
  };
}
