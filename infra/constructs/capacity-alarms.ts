import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITableV2, Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import type { OperatorAlarms } from './alarms.ts';

/** Every operation on the table that `lib/table` sends. CloudWatch counts throttled requests by operation. */
const operations = [
  Operation.BATCH_GET_ITEM,
  Operation.BATCH_WRITE_ITEM,
  Operation.DELETE_ITEM,
  Operation.GET_ITEM,
  Operation.PUT_ITEM,
  Operation.QUERY,
  Operation.TRANSACT_GET_ITEMS,
  Operation.TRANSACT_WRITE_ITEMS,
  Operation.UPDATE_ITEM,
];

/** The share of the account's concurrency, in percent, above which operators are told. */
const concurrencyPercent = 80;

/**
 * Creates the alarms on the limits of AWS that everything shares. Lambda's are those of the account and Region, so functions
 * that are not Herald's count too: they take the same capacity.
 */
export function alarmCapacity(
  scope: Construct,
  { table, stage, alarms }: { table: ITableV2; stage: Stage; alarms: OperatorAlarms },
): void {
  alarms.add(scope, 'TableThrottles', {
    metric: table.metricThrottledRequestsForOperations({ operations, period: Duration.minutes(1) }),
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
    group: 'capacity',
  });
}

/** A metric of Lambda without dimensions: all functions of the account and Region. */
function ofAccount(metricName: string, statistic: string): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: Duration.minutes(1) });
}
