import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { RateLimiter, type RateStanding } from '../../lib/api-contract/rate-limit.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import type { Table } from '../../lib/table/table.ts';
import { logger } from '../wire/logger.ts';
import type { Reply } from './reply.ts';

/** An event whose sender was counted. */
export interface CountedEvent extends APIGatewayProxyEventV2 {
  standing?: RateStanding;
}

/** Holds every address to its requests a minute, and tells in each answer where the address stands. */
export class AddressLimit {
  readonly #limiter: RateLimiter;

  constructor(table: Table, limitPerMinute: number) {
    this.#limiter = new RateLimiter(table, limitPerMinute);
  }

  /**
   * Counts the request against the address that the gateway saw; what headers claim is not asked. A counter that cannot
   * be written lets the request through: being reachable matters more than counting.
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

/** @throws HeraldError `rate_limited` where the address has had its requests of this minute */
export function refuseOverLimit({ standing }: CountedEvent, now: number): void {
  if (!standing?.isOver) return;
  throw new HeraldError('rate_limited', 'too many requests from this address', {
    retryAfterSeconds: Math.max(1, standing.resetAtSeconds - Math.floor(now / 1_000)),
  });
}

/** `X-RateLimit-*` in every answer to a request that was counted, refusals included. */
export function standingHeaders(): middy.MiddlewareObj<CountedEvent, Reply> {
  const tell = ({ event: { standing }, response }: middy.Request<CountedEvent, Reply>): void => {
    if (!standing || !response) return;
    response.headers['x-ratelimit-limit'] = String(standing.limit);
    response.headers['x-ratelimit-remaining'] = String(standing.remaining);
    response.headers['x-ratelimit-reset'] = String(standing.resetAtSeconds);
  };
  return { after: tell, onError: tell };
}
