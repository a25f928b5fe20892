import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { RateLimiter, type RateStanding } from '../../lib/api-contract/rate-limit.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import type { Table } from '../../lib/table/table.ts';
import { logger } from '../wire/logger.ts';
import type { Reply } from './reply.ts';

/** An event whose request was counted for the rate limit. */
export interface CountedEvent extends APIGatewayProxyEventV2 {
  standing?: RateStanding;
}

/** Counts each address's requests per minute, for the limit and for the headers of every response. */
export class AddressLimit {
  readonly #limiter: RateLimiter;

  constructor(table: Table, limitPerMinute: number) {
    this.#limiter = new RateLimiter(table, limitPerMinute);
  }

  /**
   * Counts the request for the address that API Gateway saw; headers could claim any other. If the counter cannot be
   * written, the request passes: availability matters more than the limit.
   *
   * @param now epoch milliseconds
   */
  async count(event: CountedEvent, now: number): Promise<void> {
    try {
      event.standing = await this.#limiter.count(event.requestContext.http.sourceIp, now);
    } catch (error) {
      logger.warn('the address was not counted', error as Error);
    }
  }
}

/** @throws HeraldError `rate_limited` if the address is over its limit in this minute */
export function refuseOverLimit({ standing }: CountedEvent, now: number): void {
  if (!standing?.isOver) return;
  throw new HeraldError('rate_limited', 'too many requests from this address', {
    retryAfterSeconds: Math.max(1, standing.resetAtSeconds - Math.floor(now / 1_000)),
  });
}

/** Sets `X-RateLimit-*` in every response to a counted request, including errors. */
export function rateLimitHeaders(): middy.MiddlewareObj<CountedEvent, Reply> {
  const setHeaders = ({ event: { standing }, response }: middy.Request<CountedEvent, Reply>): void => {
    if (!standing || !response) return;
    response.headers['x-ratelimit-limit'] = String(standing.limit);
    response.headers['x-ratelimit-remaining'] = String(standing.remaining);
    response.headers['x-ratelimit-reset'] = String(standing.resetAtSeconds);
  };
  return { after: setHeaders, onError: setHeaders };
}
