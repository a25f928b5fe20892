/**
 * Token buckets, with which AWS limits calls of its services, and the buckets of a local cloud. Amazon EC2 describes the
 * algorithm: https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
 */

import { z } from 'zod';

/** The rate at which a service may be called. */
export interface Rate {
  /** Tokens added each second. */
  readonly perSecond: number;
  /** The maximum number of tokens in the bucket; default: those of one second, at least one. */
  readonly burst?: number;
}

export interface TokenBucket {
  /** Takes all of these tokens, or none. @returns false if there are too few: the caller must refuse the call */
  take(tokens?: number): boolean;
  /** Takes as many of these tokens as there are. @returns their number, a whole number */
  takeUpTo(tokens: number): number;
  /** Sets another rate, and fills the bucket. `undefined`: no limit */
  setRate(rate: Rate | undefined): void;
  readonly rate: Rate | undefined;
}

/**
 * @param initialRate `undefined`: no limit
 * @param nowMs milliseconds of a clock that never goes back. It defaults to real time, which moves of the local cloud's
 *   clock do not change, because calls are made in real time.
 */
export function createTokenBucket(
  initialRate?: Rate,
  nowMs: () => number = () => performance.now(),
): TokenBucket {
  let rate = initialRate;
  let tokens = capacityOf(rate);
  let filledAtMs = nowMs();

  function fill(): void {
    const elapsedMs = nowMs() - filledAtMs;
    filledAtMs += elapsedMs;
    tokens = Math.min(capacityOf(rate), tokens + (elapsedMs * (rate?.perSecond ?? 0)) / 1000);
  }

  function takeUpTo(wanted: number): number {
    if (rate === undefined) return wanted;
    fill();
    const taken = Math.min(wanted, Math.floor(tokens));
    tokens -= taken;
    return taken;
  }

  return {
    takeUpTo,
    take(wanted = 1) {
      if (rate === undefined) return true;
      fill();
      return tokens >= wanted && takeUpTo(wanted) === wanted;
    },
    setRate(newRate) {
      rate = newRate;
      tokens = capacityOf(newRate);
      filledAtMs = nowMs();
    },
    get rate() {
      return rate;
    },
  };
}

const capacityOf = (rate: Rate | undefined): number =>
  rate === undefined ? Infinity : (rate.burst ?? Math.max(1, rate.perSecond));

/**
 * The services that can be limited, by name. `dynamodb`: items read or written. `ssm`, `kms`, `scheduler`: calls. `api`: requests
 * to the stage of the HTTP API. `lambda`: environments started.
 */
export const limitedServices = ['dynamodb', 'ssm', 'kms', 'scheduler', 'api', 'lambda'] as const;
export type LimitedService = (typeof limitedServices)[number];
/** A service without a rate is not limited. */
export type Rates = Partial<Readonly<Record<LimitedService, Rate>>>;
export type TokenBuckets = Readonly<Record<LimitedService, TokenBucket>>;

/** Creates one bucket for each service, because a quota counts all callers of an account together. */
export function createTokenBuckets(rates: Rates = {}): TokenBuckets {
  return Object.fromEntries(
    limitedServices.map((service) => [service, createTokenBucket(rates[service])]),
  ) as Record<LimitedService, TokenBucket>;
}

const newRates = z.partialRecord(
  z.enum(limitedServices),
  z.strictObject({ perSecond: z.number().min(0), burst: z.number().min(0).optional() }).nullable(),
);

/**
 * Returns the handler of the route `/_local/rates`: GET shows the rates; POST sets those that the body names, such as `{"ssm":
 * {"perSecond": 40}, "kms": null}`, where `null` ends a limit.
 */
export function ratesRoute(
  buckets: TokenBuckets,
): (request: { readonly method: string; readonly body: unknown }) => { body: unknown } {
  return ({ method, body }) => {
    if (method === 'POST') {
      for (const [service, rate] of Object.entries(newRates.parse(body))) {
        buckets[service as LimitedService].setRate(rate === null ? undefined : dropUndefined(rate));
      }
    }
    return {
      body: Object.fromEntries(limitedServices.map((service) => [service, buckets[service].rate ?? null])),
    };
  };
}

const dropUndefined = ({ perSecond, burst }: { perSecond: number; burst?: number | undefined }): Rate =>
  burst === undefined ? { perSecond } : { perSecond, burst };
