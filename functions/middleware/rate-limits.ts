import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import {
  type RateLimit,
  RateLimiter,
  type RateStanding,
  type RateSubject,
} from '../../lib/api-contract/rate-limit.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import type { Table } from '../../lib/table/table.ts';
import type { Caller } from '../../lib/workspaces/schemas.ts';
import { logger } from '../wire/logger.ts';
import type { RatesPerMinute } from '../wire/settings.ts';
import type { Reply } from './reply.ts';

/** An event whose request was counted. */
export interface CountedEvent extends APIGatewayProxyEventV2 {
  /** The limits that counted it, in order. If one is exceeded, it is the last. */
  standings?: readonly RateStanding[];
}

/** A caller whose requests are counted in addition to those of the address, with its own limits in place of the stage's. */
export type CountedCaller = Pick<
  Caller,
  'workspaceId' | 'keyId' | 'ratePerMinute' | 'workspaceRatePerMinute'
>;

/**
 * Counts requests per minute for their address, session, API key and workspace, and refuses those over a limit. Counts one
 * after the other: in parallel would be some milliseconds faster, but would count what another limit refuses.
 */
export class RequestLimits {
  readonly #limiter: RateLimiter;
  readonly #perMinute: RatesPerMinute;

  constructor(table: Table, perMinute: RatesPerMinute) {
    this.#limiter = new RateLimiter(table);
    this.#perMinute = perMinute;
  }

  /**
   * Counts the request for an address that nobody can forge: the one that API Gateway saw or, for panel requests, the one that
   * our CloudFront saw. Other headers could claim any address.
   *
   * @param now epoch milliseconds
   * @throws HeraldError `rate_limited`
   */
  async countAddress(event: CountedEvent, address: string, now: number): Promise<void> {
    await this.#count(event, { of: 'address', id: address, perMinute: this.#perMinute.address }, now);
  }

  /**
   * Counts a request that a page of another site has had the browser send. By itself, so that the page cannot use up the limit of
   * the person's address.
   *
   * @param now epoch milliseconds
   * @throws HeraldError `rate_limited`
   */
  async countOtherSite(event: CountedEvent, address: string, now: number): Promise<void> {
    await this.#count(event, { of: 'site', id: address, perMinute: this.#perMinute.address }, now);
  }

  /**
   * Counts the request for its session, which must be valid. The limit is that of an address: behind one address there may be many
   * people.
   *
   * @param digest of the session's cookie
   * @param now epoch milliseconds
   * @throws HeraldError `rate_limited`
   */
  async countSession(event: CountedEvent, digest: string, now: number): Promise<void> {
    await this.#count(event, this.#limitOfSession(digest), now);
  }

  /**
   * Counts a request for tokens for its grant. Hosted clients of many people share addresses, so the limit of an address is not for
   * them.
   *
   * @param now epoch milliseconds
   * @throws HeraldError `rate_limited`
   */
  async countGrant(event: CountedEvent, keyId: string, now: number): Promise<void> {
    await this.#count(event, { of: 'grant', id: keyId, perMinute: grantsPerMinute }, now);
  }

  /** Does the same as {@link refuseSeenOver} for a session, which may not exist. */
  refuseSessionSeenOver(event: CountedEvent, digest: string, now: number): void {
    const standing = this.#limiter.seenOver(this.#limitOfSession(digest), now);
    if (standing) note(event, standing, now);
  }

  /**
   * Counts the request for its API key and then for its workspace, if they have limits. A request that the key's limit refuses
   * does not count for the workspace.
   *
   * @param now epoch milliseconds
   * @throws HeraldError `rate_limited`
   */
  async countCaller(event: CountedEvent, caller: CountedCaller, now: number): Promise<void> {
    for (const limit of this.#limitsOf(caller)) await this.#count(event, limit, now);
  }

  /**
   * Refuses a caller that this instance has seen over a limit in this minute, without a read or a write. Such a request does not
   * count for the address either, so a client in a loop does not use up the limit of others there.
   *
   * @param now epoch milliseconds
   * @throws HeraldError `rate_limited`
   */
  refuseSeenOver(event: CountedEvent, caller: CountedCaller, now: number): void {
    for (const limit of this.#limitsOf(caller)) {
      const standing = this.#limiter.seenOver(limit, now);
      if (standing) note(event, standing, now);
    }
  }

  /**
   * Counts a request of an agent for its key and workspace. A key without a limit has that of an address, for which the request does
   * not count.
   *
   * @param now epoch milliseconds
   * @throws HeraldError `rate_limited`
   */
  async countAgent(event: CountedEvent, caller: CountedCaller, now: number): Promise<void> {
    await this.countCaller(event, this.#limited(caller), now);
  }

  /** Does the same as {@link refuseSeenOver} for an agent. */
  refuseAgentSeenOver(event: CountedEvent, caller: CountedCaller, now: number): void {
    this.refuseSeenOver(event, this.#limited(caller), now);
  }

  /** Does the same as {@link refuseSeenOver} for an address. */
  refuseAddressSeenOver(event: CountedEvent, address: string, now: number): void {
    const limit = { of: 'address', id: address, perMinute: this.#perMinute.address } as const;
    const standing = this.#limiter.seenOver(limit, now);
    if (standing) note(event, standing, now);
  }

  #limited(caller: CountedCaller): CountedCaller {
    const { key, address } = this.#perMinute;
    return { ...caller, ratePerMinute: caller.ratePerMinute ?? key ?? address };
  }

  #limitOfSession(digest: string): RateLimit {
    return { of: 'session', id: digest, perMinute: this.#perMinute.address };
  }

  #limitsOf({ keyId, workspaceId, ratePerMinute, workspaceRatePerMinute }: CountedCaller): RateLimit[] {
    const key = ratePerMinute ?? this.#perMinute.key;
    const workspace = workspaceRatePerMinute ?? this.#perMinute.workspace;
    return [
      ...(key === undefined ? [] : [{ of: 'key', id: keyId, perMinute: key } as const]),
      ...(workspace === undefined
        ? []
        : [{ of: 'workspace', id: workspaceId, perMinute: workspace } as const]),
    ];
  }

  /** Counts the request. If the counter cannot be written, the request passes: availability matters more than the limit. */
  async #count(event: CountedEvent, limit: RateLimit, now: number): Promise<void> {
    let standing: RateStanding;
    try {
      standing = await this.#limiter.count(limit, now);
    } catch (error) {
      logger.warn(`the request was not counted for its ${limit.of}`, error as Error);
      return;
    }
    note(event, standing, now);
  }
}

/** A client needs new tokens once an hour. */
const grantsPerMinute = 30;

const refusals: Readonly<Record<RateSubject, string>> = {
  address: 'too many requests from this address',
  key: 'too many requests with this API key',
  workspace: 'too many requests of this workspace',
  session: 'too many requests of this session',
  site: 'too many requests of other sites',
  grant: 'too many requests for the tokens of this grant',
};

function note(event: CountedEvent, standing: RateStanding, now: number): void {
  event.standings = [...(event.standings ?? []), standing];
  if (!standing.isOver) return;
  throw new HeraldError('rate_limited', refusals[standing.of], {
    retryAfterSeconds: Math.max(1, standing.resetAtSeconds - Math.floor(now / 1_000)),
  });
}

/**
 * Sets `X-RateLimit-*` in every response to a counted request, including errors. If there are several limits, they describe the
 * one that refused the request, or else the one with the fewest requests left: all end with the same minute, so it is the next to
 * refuse.
 */
export function rateLimitHeaders(): middy.MiddlewareObj<CountedEvent, Reply> {
  const setHeaders = ({ event, response }: middy.Request<CountedEvent, Reply>): void => {
    const { standings = [] } = event;
    const [nearest] = standings.toSorted(
      (one, other) => Number(other.isOver) - Number(one.isOver) || one.remaining - other.remaining,
    );
    if (!nearest || !response) return;
    response.headers['x-ratelimit-limit'] = String(nearest.limit);
    response.headers['x-ratelimit-remaining'] = String(nearest.remaining);
    response.headers['x-ratelimit-reset'] = String(nearest.resetAtSeconds);
  };
  return { after: setHeaders, onError: setHeaders };
}
