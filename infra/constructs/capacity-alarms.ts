import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { indexes } from '../../lib/table/schema.ts';
import type { Stage } from '../stages.ts';
import type { OperatorAlarms } from './alarms.ts';

/** The share of the account's concurrency, in percent, above which operators are told. */
const concurrencyPercent = 80;

/**
 * Creates the alarms on AWS limits that everything shares. Lambda's limits apply to the account and Region, so they also count
 * functions that do not belong to Herald.
 */
export function alarmCapacity(
  scope: Construct,
  { table, stage, alarms }: { table: ITableV2; stage: Stage; alarms: OperatorAlarms },
): void {
  alarms.add(scope, 'TableThrottles', {
    metric: throttleEvents(table),
    above: 10,
    periods: 5,
    heading: 'Requests to the table are throttled',
    description: 'API calls and background work slow down or fail. First look for one hot key.',
    group: 'capacity',
  });
  alarms.add(scope, 'FunctionThrottles', {
    metric: ofAccount('Throttles', 'Sum'),
    above: 10,
    periods: 3,
    heading: 'Functions are throttled',
    description: 'Lambda has refused to start functions for three minutes, so everything may be late.',
    group: 'capacity',
  });
  alarms.add(scope, 'Concurrency', {
    metric: ofAccount('ConcurrentExecutions', 'Maximum'),
    above: (stage.accountConcurrency * concurrencyPercent) / 100,
    periods: 3,
    heading: 'Almost all of the account’s concurrency is used',
    description: `more than ${concurrencyPercent} % of the ${stage.accountConcurrency} functions that may run at the same time are running.`,
    // A warning: nothing is refused yet, and another service's functions may keep it for days.
    group: 'none',
  });
}

/**
 * Counts throttled reads and writes of any operation, on the table and on the index of everything that is due. The other indexes
 * have the keys of one workspace or account, like the table itself.
 */
function throttleEvents(table: ITableV2): MathExpression {
  const events = (metricName: string, index?: string) =>
    table.metric(metricName, {
      statistic: 'Sum',
      period: Duration.minutes(1),
      dimensionsMap: {
        TableName: table.tableName,
        ...(index !== undefined && { GlobalSecondaryIndexName: index }),
      },
    });
  const { indexName } = indexes.overdue;
  return new MathExpression({
    expression: 'SUM(METRICS())',
    usingMetrics: {
      reads: events('ReadThrottleEvents'),
      writes: events('WriteThrottleEvents'),
      dueReads: events('ReadThrottleEvents', indexName),
      dueWrites: events('WriteThrottleEvents', indexName),
    },
    period: Duration.minutes(1),
  });
}

/** Returns a metric of Lambda without dimensions: for all functions of the account and Region. */
function ofAccount(metricName: string, statistic: string): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: Duration.minutes(1) });
}
