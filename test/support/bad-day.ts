import type { LocalCloudOptions } from '@herald/local-cloud/types.ts';

type Strictness = Pick<LocalCloudOptions, 'databaseTiming' | 'rates' | 'sharesProcessor'>;

/**
 * Everything at once that AWS may do to a service: indexes lag by seconds, transactions hold their items for long, each service
 * throttles, and functions have their share of a processor. API Gateway is not throttled, because the journeys' client is not
 * the service's, and does not try again.
 */
const badDay: Strictness = {
  databaseTiming: { indexLagMs: 2_000, transactionHoldMs: 25 },
  rates: {
    dynamodb: { perSecond: 300, burst: 300 },
    ssm: { perSecond: 10, burst: 10 },
    kms: { perSecond: 20, burst: 20 },
    scheduler: { perSecond: 20, burst: 20 },
  },
  sharesProcessor: true,
};

/** The variable that lets all local clouds of tests have a bad day. `npm run simulate -- --local-cloud` sets it. */
export const badDayVariable = 'BAD_DAY';

/** Strictness of the local clouds of tests: as on an ordinary day, or as on a bad one. */
export const strictness: Strictness = process.env[badDayVariable] === '1' ? badDay : {};
