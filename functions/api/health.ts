import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { jsonReply, type Reply } from '../middleware/reply.ts';
import { requestId } from '../middleware/request-id.ts';
import { handlerFactory } from '../wire/start.ts';

/** `GET /health`: the gateway and this function answer. It asks nothing of the table, so that it tells what it says. */
export const createHandler = handlerFactory({}, () =>
  middy<APIGatewayProxyEventV2, Reply, Error, Context>()
    .use(requestId())
    .handler(async () => jsonReply(200, { status: 'ok' })),
);
