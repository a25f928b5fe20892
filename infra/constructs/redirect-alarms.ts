import { Duration, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { clickLost, linkUnreadable } from '../../lib/links/link-table.ts';
import { alarmOperators } from './alarms.ts';

/** The redirect goes on without its table as long as it can, so only its log tells that something is wrong. */
export function alarmRedirect(stack: Stack, redirect: LambdaFunction, topic: ITopic): void {
  const logged = (id: string, line: string) =>
    new MetricFilter(stack, id, {
      logGroup: redirect.logGroup,
      filterPattern: FilterPattern.literal(`"${line}"`),
      metricNamespace: `Herald/${Stack.of(stack).stackName}`,
      metricName: id,
      metricValue: '1',
    });
  alarmOperators(stack, 'LinksUnreadableAlarm', topic, {
    metric: logged('LinksUnreadable', linkUnreadable).metric({
      statistic: 'Sum',
      period: Duration.minutes(1),
    }),
    above: 5,
    periods: 3,
    heading: 'Tracked links cannot be read',
    description: 'people who click them get 503, but for links that are remembered. See the log of redirect.',
  });
  alarmOperators(stack, 'ClicksLostAlarm', topic, {
    metric: logged('ClicksLost', clickLost).metric({ statistic: 'Sum', period: Duration.minutes(5) }),
    above: 50,
    heading: 'Clicks are not counted',
    description: 'people who click tracked links get where they want. See the log of redirect.',
  });
}
