import { Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { clickLost, linkUnreadable } from '../../lib/links/link-table.ts';
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

/**
 * Creates the alarms on lines of the redirect's log: it hides failures of the table from clients if it can, so metrics do not
 * show them. A stage without alarms does not have these log metrics either, because they cost as much.
 */
export function alarmRedirect(stack: Stack, redirect: LambdaFunction, alarms: OperatorAlarms): void {
  if (alarms.topic === undefined) return;
  const logged = (id: string, line: string) =>
    new MetricFilter(stack, id, {
      logGroup: redirect.logGroup,
      filterPattern: FilterPattern.literal(`"${line}"`),
      metricNamespace: `Herald/${Stack.of(stack).stackName}`,
      metricName: id,
      metricValue: '1',
    });
  alarms.add(stack, 'LinksUnreadableAlarm', {
    metric: logged('LinksUnreadable', linkUnreadable).metric({
      statistic: 'Sum',
      period: Duration.minutes(1),
    }),
    above: 5,
    periods: 3,
    heading: 'Tracked links fail',
    description:
      'people who click them get 503, except for links that the function has cached. See the log of redirect.',
    group: 'requests',
  });
  alarms.add(stack, 'ClicksLostAlarm', {
    metric: logged('ClicksLost', clickLost).metric({ statistic: 'Sum', period: Duration.minutes(5) }),
    above: 50,
    heading: 'Clicks are not counted',
    description: 'tracked links still work, but their click counts are too low. See the log of redirect.',
    group: 'requests',
  });
}
