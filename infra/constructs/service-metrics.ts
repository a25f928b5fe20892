import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import {
  type MetricName,
  metricNamespace,
  platformDimension,
  serviceDimension,
} from '../../lib/metrics/measurements.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import { alarmOperators } from './alarms.ts';

export interface ServiceMetricOptions {
  readonly statistic: string;
  readonly periodMinutes: number;
  /** One platform, for a metric with the platform dimension. For all platforms together, use `search`. */
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

  /** One graph line for each platform that has data. */
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
  alarm(scope: Construct, topic: ITopic): void {
    alarmOperators(scope, 'GoLiveLate', topic, {
      metric: this.overPlatforms('MAX(METRICS())', 'GoLiveLateness', 'p50', 5),
      above: 60_000,
      periods: 3,
      heading: 'Posts go live late',
      description:
        'on at least one platform, half of the scheduled destinations go live more than a minute late. The dashboard shows which.',
    });
    for (const platform of platformNames) this.alarmOnFailures(scope, topic, platform);
    alarmOperators(scope, 'AccountsExpire', topic, {
      metric: this.overPlatforms('MAX(METRICS())', 'AccountsExpired', 'Sum', 60),
      above: 20,
      heading: 'Many accounts have expired',
      description: 'more than 20 of one platform within an hour. Their owners must connect them again.',
    });
    alarmOperators(scope, 'NoWebhookArrives', topic, {
      metric: this.shareOf('WebhooksNotDelivered', 'WebhooksDelivered', { minFailures: 50 }),
      above: 95,
      periods: 3,
      heading: 'Almost all webhooks fail',
      description: 'more than 95 % of the delivery attempts fail. See the log of deliver-webhook.',
    });
    alarmOperators(scope, 'InboundRefused', topic, {
      metric: this.overPlatforms('MAX(METRICS())', 'InboundRefused', 'Sum', 15),
      above: 100,
      periods: 2,
      heading: 'Webhooks from platforms are refused',
      description:
        'more than 100 calls in 15 minutes to the webhook address of a platform had no valid signature or verify token, or could not be read.',
    });
  }

  private alarmOnFailures(scope: Construct, topic: ITopic, platform: string): void {
    alarmOperators(scope, `${platform}-posts-fail`, topic, {
      metric: this.shareOf('DestinationsFailed', 'DestinationsPublished', { minFailures: 5, platform }),
      above: 50,
      heading: 'Most posts to a platform fail',
      description: `more than half of the destinations that finished on ${platform} within 15 minutes have failed.`,
    });
  }

  /** The share of failures over 15 minutes, in percent. It is 0 below `minFailures`, so one bad post raises no alarm. */
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

  /** Names each platform, because an alarm allows no search. An alarm allows at most ten metrics. */
  private overPlatforms(
    expression: string,
    name: MetricName,
    statistic: string,
    periodMinutes: number,
  ): IMetric {
    const metrics = platformNames.map((platform) => [
      platform,
      this.metric(name, { statistic, periodMinutes, platform }),
    ]);
    return new MathExpression({
      expression,
      usingMetrics: Object.fromEntries(metrics),
      period: Duration.minutes(periodMinutes),
    });
  }
}
