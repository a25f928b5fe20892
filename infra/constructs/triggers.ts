import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { CfnEventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { PollerRange } from '../functions/concurrency.ts';
import type { StreamFilters } from '../functions/stream-filters.ts';
import type { DataResources } from './resources.ts';
import type { Right } from './rights.ts';

/**
 * Returns the rights that Lambda needs in the function's role to poll the queue, and the function's own to hasten what it cannot
 * read into the dead letters.
 */
export function rightsToConsume(queue: IQueue): Right[] {
  return [
    {
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: [queue.queueArn],
    },
    {
      actions: ['sqs:ChangeMessageVisibility'],
      resources: [queue.queueArn],
      variables: { CONSUMED_QUEUE_URL: queue.queueUrl },
    },
  ];
}

/** Delivers a queue's messages to a function. The function reports the messages that failed, and SQS redelivers only those. */
export function consumeQueue(
  scope: Construct,
  handler: IFunction,
  {
    queue,
    batchSize,
    maximumConcurrency,
    pollers,
  }: { queue: IQueue; batchSize: number; maximumConcurrency: number; pollers: PollerRange | undefined },
): void {
  new CfnEventSourceMapping(scope, `${handler.node.id}-source`, {
    functionName: handler.functionName,
    eventSourceArn: queue.queueArn,
    batchSize,
    functionResponseTypes: ['ReportBatchItemFailures'],
    // Reserved concurrency would not help: Lambda would throttle the extra pollers, and each throttled receive counts towards the
    // dead-letter limit.
    ...(pollers
      ? { provisionedPollerConfig: { minimumPollers: pollers.minimum, maximumPollers: pollers.maximum } }
      : { scalingConfig: { maximumConcurrency } }),
  });
}

/** Returns the rights that Lambda needs in the function's role to read the stream and to send failed records to the queue. */
export function rightsToReadStream(
  { tableArn, tableStreamArn }: DataResources,
  deadLetters: IQueue,
): Right[] {
  return [
    {
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    },
    {
      actions: ['dynamodb:ListStreams'],
      resources: [`${tableArn}/stream/*`],
      wildcardBecause: 'ListStreams is called for a table, before the name of a stream is known.',
    },
    {
      actions: ['sqs:SendMessage'],
      resources: [deadLetters.queueArn],
      variables: { STREAM_DEAD_LETTER_URL: deadLetters.queueUrl },
    },
  ];
}

/**
 * Delivers the table's changes to a function if they pass its filters: counters change with every request and must start
 * no function. Lambda retries a batch for `triedForHours`, or for the 24 hours that the stream keeps its records. A
 * record that the function cannot read does not block the stream, because the function sends it to the dead letters.
 */
export function readTableStream(
  scope: Construct,
  handler: IFunction,
  {
    streamArn,
    filters,
    triedForHours,
    parallelization,
    deadLetters,
  }: {
    streamArn: string;
    filters: StreamFilters;
    triedForHours: number | undefined;
    parallelization: number;
    deadLetters: IQueue;
  },
): void {
  new CfnEventSourceMapping(scope, `${handler.node.id}-source`, {
    functionName: handler.functionName,
    eventSourceArn: streamArn,
    startingPosition: 'TRIM_HORIZON',
    batchSize: 100,
    parallelizationFactor: parallelization,
    bisectBatchOnFunctionError: true,
    maximumRetryAttempts: -1,
    maximumRecordAgeInSeconds: triedForHours === undefined ? -1 : triedForHours * 3_600,
    functionResponseTypes: ['ReportBatchItemFailures'],
    destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
    filterCriteria: { filters: filters.map((pattern) => ({ pattern: JSON.stringify(pattern) })) },
  });
}

/** Runs a function periodically. A failed run is not retried, because the next run does the same work. */
export function runEvery(scope: Construct, handler: IFunction, minutes: number): void {
  new Rule(scope, `${handler.node.id}-rule`, {
    description: `${Stack.of(scope).stackName}: starts ${handler.node.id}`,
    schedule: Schedule.rate(Duration.minutes(minutes)),
    targets: [new FunctionTarget(handler, { retryAttempts: 0 })],
  });
  handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(minutes) });
}
