import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { HttpApi } from './http-api.ts';
import type { ServiceMetrics } from './service-metrics.ts';
import type { WorkQueue } from './work-queue.ts';

export interface DashboardProps {
  readonly api: HttpApi;
  readonly metrics: ServiceMetrics;
  readonly table: ITableV2;
  /** The queues by their labels. Each brings its dead-letter queue. */
  readonly queues: Readonly<Record<string, WorkQueue>>;
  readonly otherDeadLetters: Readonly<Record<string, IQueue>>;
  /** The stage's name. Names of functions begin with `herald-` and this. */
  readonly stageName: string;
}

/** Creates a dashboard that shows whether the API works, posts are published, and queues have dead letters. */
export function createDashboard(scope: Construct, props: DashboardProps): void {
  const { api, metrics, table, queues, stageName } = props;
  const deadLetters = Object.entries(queues).map(([label, queue]) => [label, queue.deadLetters] as const);
  new Dashboard(scope, 'Dashboard', {
    widgets: [
      [
        graph('Published destinations, by platform', [metrics.search('DestinationsPublished', 'Sum')]),
        graph('Failed destinations, by platform', [metrics.search('DestinationsFailed', 'Sum')]),
      ],
      [
        graph('Destinations put off, by platform', [metrics.search('DestinationsPutOff', 'Sum')]),
        graph('Platforms in trouble', [metrics.search('PlatformsInTrouble', 'Maximum')]),
      ],
      [
        graph('Lateness of what no worker has tried (ms)', [
          metrics.metric('OverdueLateness', {
            statistic: 'Maximum',
            periodMinutes: 1,
            label: 'destinations',
          }),
        ]),
        graph('Other work that was put off', [
          metrics.metric('ActionsPutOff', {
            statistic: 'Sum',
            periodMinutes: 1,
            label: 'replies and messages',
          }),
          metrics.metric('ImportsPutOff', { statistic: 'Sum', periodMinutes: 1, label: 'imports of files' }),
        ]),
      ],
      [
        graph('Publishing delay, by platform: median (ms)', [metrics.search('GoLiveLateness', 'p50')]),
        graph('Publishing delay, by platform: p99 (ms)', [metrics.search('GoLiveLateness', 'p99')]),
      ],
      [
        graph('Webhook delivery attempts', [
          metrics.metric('WebhooksDelivered', { statistic: 'Sum', periodMinutes: 1, label: 'delivered' }),
          metrics.metric('WebhooksNotDelivered', { statistic: 'Sum', periodMinutes: 1, label: 'failed' }),
        ]),
        graph('Expired accounts; refused inbound webhooks', [
          metrics.search('AccountsExpired', 'Sum'),
          metrics.search('InboundRefused', 'Sum'),
        ]),
      ],
      [
        graph('API: errors', [
          api.metric('4xx', { statistic: 'Sum', label: '4xx' }),
          api.metric('5xx', { statistic: 'Sum', label: '5xx' }),
        ]),
        graph('API: latency (ms)', [
          api.metric('Latency', { statistic: 'p50', label: 'p50' }),
          api.metric('Latency', { statistic: 'p99', label: 'p99' }),
        ]),
      ],
      [
        graph(
          'Queues: age of the oldest message (s)',
          Object.entries(queues).map(([label, { queue }]) =>
            queue.metricApproximateAgeOfOldestMessage({ label }),
          ),
        ),
        graph(
          'Dead letters',
          [...deadLetters, ...Object.entries(props.otherDeadLetters)].map(([label, queue]) =>
            queue.metricApproximateNumberOfMessagesVisible({ label, statistic: 'Maximum' }),
          ),
        ),
      ],
      [
        graph('Functions: errors', [searchFunctions('Errors', stageName)]),
        graph('Functions: throttles', [searchFunctions('Throttles', stageName)]),
      ],
      [
        graph('Table: consumed capacity', [
          table.metricConsumedReadCapacityUnits({ label: 'read' }),
          table.metricConsumedWriteCapacityUnits({ label: 'write' }),
        ]),
        graph('Table: throttles', [
          table.metric('ReadThrottleEvents', { statistic: 'Sum', label: 'read' }),
          table.metric('WriteThrottleEvents', { statistic: 'Sum', label: 'write' }),
        ]),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 12, period: Duration.minutes(1) });
}

/**
 * Returns a metric of all functions of the stage. CloudFormation begins their names with `herald-<stage>`. CloudWatch splits
 * names into words, and each term of the search matches one word. In double quotes, a term only matches a function with exactly
 * that name.
 *
 * See https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html.
 */
function searchFunctions(metricName: string, stageName: string): MathExpression {
  const words = ['herald', ...stageName.split('-')].map((word) => `FunctionName=${word}`).join(' ');
  return new MathExpression({
    expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" ${words}', 'Sum', 60)`,
    label: '',
    usingMetrics: {},
    period: Duration.minutes(1),
  });
}
