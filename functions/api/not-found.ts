import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { type CountedEvent, RequestLimits, rateLimitHeaders } from '../middleware/rate-limits.ts';
import type { Reply } from '../middleware/reply.ts';
import { errorAnswer, requestId } from '../middleware/route.ts';
import { table } from '../wire/aws.ts';
import { ratesPerMinute } from '../wire/settings.ts';
import { handlerFactory } from '../wire/start.ts';

/** `$default`: every path without a route. Responds with the usual error body; below `/v1` it counts for the rate limit. */
export const build = handlerFactory({ table, ratesPerMinute }, ({ table, ratesPerMinute }) => {
  const limits = new RequestLimits(table, ratesPerMinute);
  return middy<CountedEvent, Reply, Error, Context>()
    .use(requestId())
    .use(rateLimitHeaders())
    .use(errorAnswer())
    .handler(async (event) => {
      const { http } = event.requestContext;
      if (/^(\/api)?\/v1(\/|$)/.test(http.path)) {
        await limits.countAddress(event, systemClock());
      }
      throw new HeraldError('route_unknown', `no such route: ${http.method} ${http.path}`.slice(0, 200));
    });
});
