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
  /** Where the metric tells platforms apart: all that have readings together are `search`'s matter. */
  readonly platform?: string;
  readonly label?: string;
}

/** What the functions measure, as CloudWatch finds it. */
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

  /** A line for each platform that has readings. */
  search(name: MetricName, statistic: string): MathExpression {
    const schema = `{${this.namespace},${Object.keys(serviceDimension).join()},${platformDimension}}`;
    return new MathExpression({
      expression: `SEARCH('${schema} MetricName="${name}"', '${statistic}', 60)`,
      label: '',
      usingMetrics: {},
      period: Duration.minutes(1),
    });
  }

  /** Beside CloudWatch's own: what only the service knows of itself. */
  alarm(scope: Construct, topic: ITopic): void {
    alarmOperators(scope, 'GoLiveLate', topic, {
      metric: this.overPlatforms('MAX(METRICS())', 'GoLiveLateness', 'p50', 5),
      above: 60_000,
      periods: 3,
      heading: 'Posts go live late',
      description:
        'at one platform at least, half of what was planned goes live more than a minute after its time. The dashboard says where.',
    });
    for (const platform of platformNames) this.alarmOnFailures(scope, topic, platform);
    alarmOperators(scope, 'AccountsExpire', topic, {
      metric: this.overPlatforms('MAX(METRICS())', 'AccountsExpired', 'Sum', 60),
      above: 20,
      heading: 'Many accounts expire',
      description: 'more than 20 of one platform within an hour. Their owners have to connect them again.',
    });
    alarmOperators(scope, 'NoWebhookArrives', topic, {
      metric: this.shareOf('WebhooksNotDelivered', 'WebhooksDelivered', { leastFailures: 50 }),
      above: 95,
      periods: 3,
      heading: 'No webhook arrives',
      description: 'nearly every attempt fails, whoever receives it. See the log of deliver-webhook.',
    });
    alarmOperators(scope, 'InboundRefused', topic, {
      metric: this.overPlatforms('MAX(METRICS())', 'InboundRefused', 'Sum', 15),
      above: 100,
      periods: 2,
      heading: 'What platforms send is refused',
      description:
        'more than 100 calls in a quarter of an hour at a platform’s webhook address are not what they should be.',
    });
  }

  private alarmOnFailures(scope: Construct, topic: ITopic, platform: string): void {
    alarmOperators(scope, `${platform}-posts-fail`, topic, {
      metric: this.shareOf('DestinationsFailed', 'DestinationsPublished', { leastFailures: 5, platform }),
      above: 50,
      heading: 'Most posts to a platform fail',
      description: `more than half of what was due at ${platform} within a quarter of an hour has failed.`,
    });
  }

  /** In percent over a quarter of an hour; 0 below so many failures, so that one bad post wakes nobody. */
  private shareOf(
    failed: MetricName,
    succeeded: MetricName,
    { leastFailures, platform }: { leastFailures: number; platform?: string },
  ): MathExpression {
    const options = { statistic: 'Sum', periodMinutes: 15, ...(platform !== undefined && { platform }) };
    return new MathExpression({
      expression: `IF(failed >= ${leastFailures}, 100 * failed / (failed + FILL(succeeded, 0)), 0)`,
      usingMetrics: { failed: this.metric(failed, options), succeeded: this.metric(succeeded, options) },
      period: Duration.minutes(15),
    });
  }

  /** An alarm takes ten metrics at most and no search, so each platform is named. */
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
