import { Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { clickLost, linkUnreadable } from '../../lib/links/link-table.ts';
import type { OperatorAlarms } from './alarms.ts';

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
