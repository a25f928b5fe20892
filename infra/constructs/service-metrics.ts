import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  type MetricName,
  metricNamespace,
  platformDimension,
  reasonDimension,
  serviceDimension,
} from '../../lib/metrics/measurements.ts';
import { type Platform, platformNames, platformTitles } from '../../lib/platforms/contract/names.ts';
import type { OperatorAlarms } from './alarms.ts';

export interface ServiceMetricOptions {
  readonly statistic: string;
  readonly periodMinutes: number;
  /** The platform, for a metric with the platform dimension. If absent, all platforms together. */
  readonly platform?: string;
  /** The reason, for a metric with that dimension. If absent, all reasons together. */
  readonly reason?: string;
  readonly label?: string;
}

/** The metrics that the functions write, as CloudWatch metrics, and the alarms on them. */
export class ServiceMetrics {
  private readonly namespace: string;

  constructor(stageName: string) {
    this.namespace = metricNamespace(stageName);
  }

  metric(
    name: MetricName,
    { statistic, periodMinutes, platform, reason, label }: ServiceMetricOptions,
  ): Metric {
    return new Metric({
      namespace: this.namespace,
      metricName: name,
      dimensionsMap: {
        ...serviceDimension,
        ...(platform !== undefined && { [platformDimension]: platform }),
        ...(reason !== undefined && { [reasonDimension]: reason }),
      },
      statistic,
      period: Duration.minutes(periodMinutes),
      ...(label !== undefined && { label }),
    });
  }

  /** Returns one graph line for each platform that has data. */
  search(name: MetricName, statistic: string): MathExpression {
    const schema = `{${this.namespace},${Object.keys(serviceDimension).join()},${platformDimension}}`;
    return new MathExpression({
      expression: `SEARCH('${schema} MetricName="${name}"', '${statistic}', 60)`,
      label: '',
      usingMetrics: {},
      period: Duration.minutes(1),
    });
  }

  /** Creates the alarms on the service's own metrics. */
  alarm(scope: Construct, alarms: OperatorAlarms): void {
    alarms.add(scope, 'GoLiveLate', {
      metric: this.metric('GoLiveLateness', { statistic: 'p99', periodMinutes: 5 }),
      above: 5_000,
      periods: 2,
      heading: 'Posts go live late',
      description:
        'for ten minutes, the slowest 1 % of the destinations that went live were more than 5 seconds late. The dashboard shows on which platform.',
      group: 'publishing',
    });
    alarms.add(scope, 'Overdue', {
      metric: this.metric('OverdueLateness', { statistic: 'Maximum', periodMinutes: 1 }),
      above: 5 * 60_000,
      periods: 2,
      heading: 'Posts are overdue',
      description:
        'destinations are more than five minutes late, and no worker has tried them. See `status` and the log of publish-target.',
      group: 'publishing',
    });
    for (const platform of platformNames) {
      this.alarmOnTrouble(scope, alarms, platform);
      this.alarmOnFailures(scope, alarms, platform);
    }
    this.alarmOnPutOffs(scope, alarms);
    alarms.add(scope, 'AccountsExpire', {
      metric: this.metric('AccountsExpired', { statistic: 'Sum', periodMinutes: 60 }),
      above: 20,
      heading: 'Many accounts have expired',
      description: 'more than 20 within an hour. Their owners must connect them again.',
      group: 'none',
    });
    alarms.add(scope, 'NoWebhookArrives', {
      metric: this.shareOf('WebhooksNotDelivered', 'WebhooksDelivered', { minFailures: 50 }),
      above: 95,
      periods: 3,
      heading: 'Almost all webhooks fail',
      description: 'more than 95 % of the delivery attempts fail. See the log of deliver-webhook.',
      group: 'none',
    });
    alarms.add(scope, 'InboundRefused', {
      metric: this.metric('InboundRefused', { statistic: 'Sum', periodMinutes: 15 }),
      above: 100,
      periods: 2,
      heading: 'Webhooks from platforms are refused',
      description:
        'more than 100 calls in 15 minutes to the webhook addresses of platforms had no valid signature or verify token, or could not be read.',
      group: 'none',
    });
  }

  /**
   * The sweep judges and writes the metric in each minute of an incident, so an alarm is one metric. A period of five minutes, so
   * that a sweep that is late does not end it.
   */
  private alarmOnTrouble(scope: Construct, alarms: OperatorAlarms, platform: Platform): void {
    alarms.add(scope, `${platform}-in-trouble`, {
      metric: this.metric('PlatformsInTrouble', { statistic: 'Maximum', periodMinutes: 5, platform }),
      above: 0,
      heading: 'A platform is in trouble',
      description: `destinations on ${platformTitles[platform]} are put off and none of them goes live. \`status\` names the workspaces and the reason.`,
      group: 'none',
    });
  }

  private alarmOnPutOffs(scope: Construct, alarms: OperatorAlarms): void {
    const putOff = (name: MetricName, reason?: string) =>
      this.metric(name, { statistic: 'Sum', periodMinutes: 15, ...(reason !== undefined && { reason }) });
    alarms.add(scope, 'ActionsPutOff', {
      metric: putOff('ActionsPutOff', 'platform_unavailable'),
      above: 100,
      periods: 2,
      heading: 'Replies and messages are put off',
      description: 'for half an hour, Instagram has not taken many replies and messages of automations.',
      group: 'background',
    });
    alarms.add(scope, 'ImportsPutOff', {
      metric: putOff('ImportsPutOff'),
      above: 100,
      periods: 2,
      heading: 'Files are not fetched',
      description:
        'for half an hour, many imports have failed and are tried again. See the log of import-media.',
      group: 'background',
    });
  }

  private alarmOnFailures(scope: Construct, alarms: OperatorAlarms, platform: string): void {
    alarms.add(scope, `${platform}-posts-fail`, {
      metric: this.shareOf('DestinationsFailed', 'DestinationsPublished', { minFailures: 5, platform }),
      above: 50,
      heading: 'Most posts to a platform fail',
      description: `more than half of the destinations that finished on ${platform} within 15 minutes have failed.`,
      group: 'none',
    });
  }

  /** Returns the share of failures over 15 minutes, in percent. It is 0 below `minFailures`, so one bad post raises no alarm. */
  private shareOf(
    failed: MetricName,
    succeeded: MetricName,
    { minFailures, platform }: { minFailures: number; platform?: string },
  ): MathExpression {
    const options = { statistic: 'Sum', periodMinutes: 15, ...(platform !== undefined && { platform }) };
    return new MathExpression({
      expression: `IF(failed >= ${minFailures}, 100 * failed / (failed + FILL(succeeded, 0)), 0)`,
      usingMetrics: { failed: this.metric(failed, options), succeeded: this.metric(succeeded, options) },
      period: Duration.minutes(15),
    });
  }
}
