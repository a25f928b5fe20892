import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { OperatorAlarms } from './alarms.ts';
import type { HttpApi } from './http-api.ts';

/** Creates the alarms on problems that clients of the API notice. */
export function alarmApi(scope: Construct, api: HttpApi, alarms: OperatorAlarms): void {
  alarms.add(scope, 'ApiErrors', {
    metric: api.metric('5xx', { statistic: 'Sum' }),
    above: 5,
    periods: 3,
    heading: 'API clients get 5xx errors',
    description: 'find the routeKey in the access log, then read the log of that route’s function.',
    group: 'requests',
  });
  alarms.add(scope, 'ApiMostlyFails', {
    // Each request counts 0 or 1, so the average is the share of failures. A quiet API never has more than 5 a minute.
    metric: api.metric('5xx', { statistic: 'Average', period: Duration.minutes(15) }),
    above: 0.5,
    periods: 2,
    heading: 'API clients get 5xx errors',
    description:
      'for half an hour, more than half of the requests have failed. Find the routeKey in the access log.',
    group: 'requests',
  });
  // Counts periods with few requests too. CloudWatch can leave them out, but calls fewer than a thousand few.
  alarms.add(scope, 'ApiSlow', {
    metric: api.metric('Latency', { statistic: 'p99', period: Duration.minutes(5) }),
    above: 3_000,
    periods: 3,
    heading: 'API clients wait long',
    description: 'for 15 minutes, one request in a hundred has taken more than 3 seconds.',
    group: 'requests',
  });
}
