import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { OperatorAlarms } from './alarms.ts';

/**
 * Alarms if a periodic function has failed in each of three periods, or has not run. Lambda counts 0 errors for each run that
 * succeeds and nothing without a run, so one metric shows both: by its minimum, or by missing data.
 */
export function alarmPeriodic(
  scope: Construct,
  handler: IFunction,
  { everyMinutes, impact, alarms }: { everyMinutes: number; impact: string; alarms: OperatorAlarms },
): void {
  const name = handler.node.id;
  alarms.add(scope, `${name}-fails`, {
    metric: handler.metricErrors({ statistic: 'Minimum', period: Duration.minutes(everyMinutes) }),
    above: 0,
    periods: 3,
    firesOnSilence: true,
    heading: impact,
    description: `no run of ${name} has succeeded in three consecutive periods. Look at its log. If that has no recent line, nothing starts the function.`,
    group: 'background',
  });
}

/**
 * Alarms if a function does not run although there is work for it, as when its event source mapping is disabled. Lambda has no
 * metric for that, so each alarm compares the source of work with the function's invocations. The other queues have only the
 * alarm on the age of their oldest message.
 */
export function alarmSilence(
  scope: Construct,
  {
    handlers,
    publishQueue,
    alarms,
  }: {
    /** The functions by name. */
    handlers: ReadonlyMap<string, IFunction>;
    publishQueue: IQueue;
    alarms: OperatorAlarms;
  },
): void {
  const publish = handlers.get('publish-target');
  const relay = handlers.get('relay');
  const announce = handlers.get('announce');
  if (publish && relay && announce) {
    const shortly = Duration.minutes(5);
    const heading = 'A function does not run although there is work';
    alarms.add(scope, 'publish-target-silent', {
      // The minimum number of messages that are due: delayed ones do not count.
      metric: workWithout(
        publishQueue.metricApproximateNumberOfMessagesVisible({ statistic: 'Minimum', period: shortly }),
        publish.metricInvocations({ period: shortly }),
      ),
      above: 0,
      periods: 2,
      heading,
      description: 'publish messages have waited for ten minutes, and publish-target has not been started.',
      group: 'publishing',
    });
    alarms.add(scope, 'relay-silent', {
      // Nearly every run of publish-target releases a target, which starts the relay. Only obsolete messages change nothing.
      metric: workWithout(
        publish.metricInvocations({ period: shortly }),
        relay.metricInvocations({ period: shortly }),
      ),
      above: 0,
      periods: 3,
      heading,
      description: 'publish-target has run for 15 minutes, and its changes have not started relay.',
      group: 'publishing',
    });
    const anHour = Duration.hours(1);
    alarms.add(scope, 'announce-silent', {
      // Not every change of a target causes an event, so it takes three hours of changes to be sure.
      metric: workWithout(
        relay.metricInvocations({ period: anHour }),
        announce.metricInvocations({ period: anHour }),
      ),
      above: 0,
      periods: 3,
      heading,
      description: 'relay has run in each of three hours, and announce in none. Webhooks are not sent.',
      group: 'background',
    });
  }
}

/** Returns 1 for each period with work but without an invocation of the function, otherwise 0. */
function workWithout(work: Metric, invocations: Metric): MathExpression {
  return new MathExpression({
    expression: 'IF(FILL(work, 0) > 0 AND FILL(invocations, 0) < 1, 1, 0)',
    usingMetrics: { work, invocations },
    period: work.period,
  });
}
