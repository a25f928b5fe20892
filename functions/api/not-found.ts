import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { errorReply, type Reply } from '../middleware/reply.ts';
import { requestId } from '../middleware/request-id.ts';

/** `$default`: whatever no route takes, answered in the shape of all our errors. */
export const handler = middy<APIGatewayProxyEventV2, Reply, Error, Context>()
  .use(requestId())
  .handler(async ({ requestContext: { http } }) =>
    errorReply(new HeraldError('not_found', `no such route: ${http.method} ${http.path}`.slice(0, 200))),
  );
