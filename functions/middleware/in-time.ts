import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { logger } from '../wire/logger.ts';
import { errorReply, type Reply } from './reply.ts';

/** The time left to a function when it answers that it is late: enough to log and to send the response. */
export const lateReserveMs = 1_000;

const retryAfterSeconds = 5;

/**
 * Answers with 503 shortly before Lambda would end the function, whatever hangs: a read of the table alone may be repeated for 12
 * seconds. Otherwise the client would get API Gateway's own 503, without an error code, `Retry-After` or a line in the log. Middy's
 * own early timeout does not cover its middleware, and with it the authentication.
 *
 * @param late creates the response
 */
export function inTime<Event extends APIGatewayProxyEventV2>(
  handler: (event: Event, context: Context) => Promise<Reply>,
  late: (event: Event) => Reply = lateReply,
) {
  return async (event: Event, context: Context): Promise<Reply> => {
    const { promise: isLate, resolve } = Promise.withResolvers<Reply>();
    const answerLate = () => {
      logger.error('the request took too long');
      const reply = late(event);
      reply.headers['retry-after'] = String(retryAfterSeconds);
      reply.headers['x-request-id'] = event.requestContext.requestId;
      resolve(reply);
    };
    const timer = setTimeout(answerLate, Math.max(0, context.getRemainingTimeInMillis() - lateReserveMs));
    try {
      return await Promise.race([handler(event, context), isLate]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const lateReply = (event: APIGatewayProxyEventV2): Reply =>
  errorReply(
    new HeraldError(
      'unavailable',
      'the service did not answer in time; a change that was asked for may have been made',
    ),
    event,
  );
