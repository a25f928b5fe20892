import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { CfnEventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StreamFilters } from '../functions/stream-filters.ts';
import type { DataResources } from './resources.ts';
import type { Right } from './rights.ts';

/** What Lambda does on the queue with the function's own role. */
export function rightsToConsume(queue: IQueue): Right[] {
  return [
    {
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: [queue.queueArn],
    },
  ];
}

/** A queue's messages to a function, which names those that failed: only they come again. */
export function consumeQueue(
  scope: Construct,
  handler: IFunction,
  { queue, batchSize, maximumConcurrency }: { queue: IQueue; batchSize: number; maximumConcurrency?: number },
): void {
  new CfnEventSourceMapping(scope, `${handler.node.id}-source`, {
    functionName: handler.functionName,
    eventSourceArn: queue.queueArn,
    batchSize,
    functionResponseTypes: ['ReportBatchItemFailures'],
    // Held here and not by reserving alone: a poller above the reserve would be throttled, and use up receives.
    ...(maximumConcurrency !== undefined && { scalingConfig: { maximumConcurrency } }),
  });
}

/** What Lambda does on the stream with the function's own role, and with the queue for what it gave up. */
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
      wildcardBecause: 'It is asked of a table, before any one of its streams is known.',
    },
    {
      actions: ['sqs:SendMessage'],
      resources: [deadLetters.queueArn],
      variables: { STREAM_DEAD_LETTER_URL: deadLetters.queueUrl },
    },
  ];
}

/**
 * The table's changes to a function, those that pass its filters only: counters change with every request and must wake
 * nobody. A record is tried for long, if not for as long as the stream keeps it, a day: what it was about must follow,
 * and the function itself sets aside what it cannot read and leaves to a sweep what another can do.
 */
export function readTableStream(
  scope: Construct,
  handler: IFunction,
  {
    streamArn,
    filters,
    triedForHours,
    deadLetters,
  }: {
    streamArn: string;
    filters: StreamFilters;
    triedForHours: number | undefined;
    deadLetters: IQueue;
  },
): void {
  new CfnEventSourceMapping(scope, `${handler.node.id}-source`, {
    functionName: handler.functionName,
    eventSourceArn: streamArn,
    startingPosition: 'TRIM_HORIZON',
    batchSize: 100,
    // Batches of one shard side by side; changes of one item stay in order.
    parallelizationFactor: 4,
    bisectBatchOnFunctionError: true,
    maximumRetryAttempts: -1,
    maximumRecordAgeInSeconds: triedForHours === undefined ? -1 : triedForHours * 3_600,
    functionResponseTypes: ['ReportBatchItemFailures'],
    destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
    filterCriteria: { filters: filters.map((pattern) => ({ pattern: JSON.stringify(pattern) })) },
  });
}

/** Starts a function again and again. The next turn is its retry, so a failed one is not repeated. */
export function runEvery(scope: Construct, handler: IFunction, minutes: number): void {
  new Rule(scope, `${handler.node.id}-rule`, {
    description: `${Stack.of(scope).stackName}: starts ${handler.node.id}`,
    schedule: Schedule.rate(Duration.minutes(minutes)),
    targets: [new FunctionTarget(handler, { retryAttempts: 0 })],
  });
  handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(minutes) });
}
