import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import {
  AddressLimit,
  type CountedEvent,
  rateLimitHeaders,
  refuseOverLimit,
} from '../middleware/address-limit.ts';
import type { Reply } from '../middleware/reply.ts';
import { errorAnswer, requestId } from '../middleware/route.ts';
import { table } from '../wire/aws.ts';
import { ratePerMinute } from '../wire/settings.ts';
import { handlerFactory } from '../wire/start.ts';

/** `$default`: every path without a route. Responds with the usual error body; below `/v1` it counts for the rate limit. */
export const build = handlerFactory({ table, ratePerMinute }, ({ table, ratePerMinute }) => {
  const addresses = new AddressLimit(table, ratePerMinute);
  return middy<CountedEvent, Reply, Error, Context>()
    .use(requestId())
    .use(rateLimitHeaders())
    .use(errorAnswer())
    .handler(async (event) => {
      const { http } = event.requestContext;
      if (/^(\/api)?\/v1(\/|$)/.test(http.path)) {
        const now = systemClock();
        await addresses.count(event, now);
        refuseOverLimit(event, now);
      }
      throw new HeraldError('not_found', `no such route: ${http.method} ${http.path}`.slice(0, 200));
    });
});
