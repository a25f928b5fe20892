import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  type MetricName,
  metricNamespace,
  platformDimension,
  serviceDimension,
} from '../../lib/metrics/measurements.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import type { OperatorAlarms } from './alarms.ts';

export interface ServiceMetricOptions {
  readonly statistic: string;
  readonly periodMinutes: number;
  /** The platform, for a metric with the platform dimension. If absent, all platforms together. */
  readonly platform?: string;
  readonly label?: string;
}

/** The metrics that the functions write, as CloudWatch metrics, and the alarms on them. */
export class ServiceMetrics {
  private readonly namespace: string;

  constructor(stageName: string) {
    this.namespace = metricNamespace(stageName);
  }

  metric(name: MetricName, { statistic, periodMinutes, platform, label }: ServiceMetricOptions): Metric {
    return new Metric({
      namespace: this.namespace,
      metricName: name,
      dimensionsMap: {
        ...serviceDimension,
        ...(platform !== undefined && { [platformDimension]: platform }),
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
    for (const platform of platformNames) this.alarmOnFailures(scope, alarms, platform);
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
