/** SQS's JSON protocol for the queue engine: operations, rights and errors. Stateless. */

import type { Caller } from '../../identity/policy-decision.ts';
import type { QueueResource } from '../../model.ts';
import { AwsError, accessDenied, requireAccess } from '../errors.ts';
import { type JsonOperation, jsonReply, operation, runOperation } from '../json-protocol.ts';
import type { BufferedService, ServiceReply, ServiceRequest } from '../service.ts';
import * as inputs from './inputs.ts';
import { checkRange, checkSize, maximumMessageBytes, messageBytes } from './message-rules.ts';
import type { MoveTasks } from './move-tasks.ts';
import type { LocalQueueEngine } from './queue-engine.ts';
import { fromWire, queueAttributes, receivedToWire, sentToWire, taskToWire } from './wire.ts';

/** Error codes of the older query protocol, if they differ. The SDK shows them as `Code`. */
const queryCodes: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  UnsupportedOperation: 'AWS.SimpleQueueService.UnsupportedOperation',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
};

export interface SqsDependencies {
  readonly queues: readonly QueueResource[];
  readonly engine: LocalQueueEngine;
  readonly moveTasks: MoveTasks;
}

export function createSqsService(dependencies: SqsDependencies): BufferedService {
  const operations = sqsOperations(dependencies);
  return {
    // Enough for the largest batch: JSON may escape one byte as six.
    maximumBodyBytes: 8 * maximumMessageBytes,
    errorReply,
    async handle(request) {
      const output = await runOperation(operations, 'AmazonSQS.', 'InvalidParameterValue', request);
      return jsonReply('1.0', 200, output ?? {});
    },
  };
}

function errorReply(error: AwsError): ServiceReply {
  if (error.code === accessDenied) {
    const type = 'com.amazon.coral.service#AccessDeniedException';
    return jsonReply('1.0', 400, { __type: type, message: error.message });
  }
  const fault = error.httpStatus >= 500 ? 'Receiver' : 'Sender';
  return jsonReply(
    '1.0',
    error.httpStatus,
    { __type: `com.amazonaws.sqs#${error.code}`, message: error.message },
    { 'x-amzn-query-error': `${queryCodes[error.code] ?? error.code};${fault}` },
  );
}

function sqsOperations({ queues, engine, moveTasks }: SqsDependencies): Record<string, JsonOperation> {
  const byUrlPath = new Map(queues.map((queue) => [new URL(queue.url).pathname, queue]));

  const inOneCommit: typeof runBatch = (entries, run) => engine.commitTogether(() => runBatch(entries, run));

  function queueAt(queueUrl: string): QueueResource {
    const path = URL.parse(queueUrl)?.pathname ?? '';
    const queue = byUrlPath.get(path);
    if (!queue) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  function allow(caller: Caller, action: string, queue: QueueResource): void {
    requireAccess(caller, { action: `sqs:${action}`, resource: queue.arn, resourcePolicy: queue.policy });
  }

  /** Finds the queue with this URL. @throws AwsError if there is none or if the caller lacks the right. */
  function allowedQueue(request: ServiceRequest, action: string, queueUrl: string): QueueResource {
    const queue = queueAt(queueUrl);
    allow(request.caller, action, queue);
    return queue;
  }

  return {
    SendMessage: operation(inputs.sendMessage, (input, request) => {
      const queue = allowedQueue(request, 'SendMessage', input.QueueUrl);
      return sentToWire(engine.send(fromWire(queue.arn, input, senderOf(request.caller), traceOf(request))));
    }),
    SendMessageBatch: operation(inputs.sendMessageBatch, (input, request) => {
      const queue = allowedQueue(request, 'SendMessage', input.QueueUrl);
      const messages = new Map(
        input.Entries.map((entry) => [
          entry,
          fromWire(queue.arn, entry, senderOf(request.caller), traceOf(request)),
        ]),
      );
      checkSize([...messages.values()].reduce((sum, message) => sum + messageBytes(message), 0));
      return inOneCommit(input.Entries, (entry) => {
        const message = messages.get(entry);
        return message && sentToWire(engine.send(message));
      });
    }),
    ReceiveMessage: operation(inputs.receiveMessage, async (input, request) => {
      const queue = allowedQueue(request, 'ReceiveMessage', input.QueueUrl);
      checkRange('MaxNumberOfMessages', input.MaxNumberOfMessages, 1, 10);
      checkRange('WaitTimeSeconds', input.WaitTimeSeconds, 0, 20);
      checkRange('VisibilityTimeout', input.VisibilityTimeout, 0, 43_200);
      const messages = await engine.receive({
        queueArn: queue.arn,
        max: input.MaxNumberOfMessages ?? 1,
        waitMs: (input.WaitTimeSeconds ?? 0) * 1000,
        signal: request.goneSignal(),
        ...(input.VisibilityTimeout !== undefined && { visibilityTimeoutSeconds: input.VisibilityTimeout }),
      });
      if (messages.length === 0) return {};
      const systemNames = input.MessageSystemAttributeNames ?? input.AttributeNames ?? [];
      const attributeNames = input.MessageAttributeNames ?? [];
      return { Messages: messages.map((message) => receivedToWire(message, systemNames, attributeNames)) };
    }),
    DeleteMessage: operation(inputs.deleteMessage, (input, request) => {
      engine.delete(allowedQueue(request, 'DeleteMessage', input.QueueUrl).arn, input.ReceiptHandle);
    }),
    DeleteMessageBatch: operation(inputs.deleteMessageBatch, (input, request) => {
      const queue = allowedQueue(request, 'DeleteMessage', input.QueueUrl);
      return inOneCommit(input.Entries, (entry) => engine.delete(queue.arn, entry.ReceiptHandle));
    }),
    ChangeMessageVisibility: operation(inputs.changeMessageVisibility, (input, request) => {
      const queue = allowedQueue(request, 'ChangeMessageVisibility', input.QueueUrl);
      engine.changeVisibility(queue.arn, input.ReceiptHandle, input.VisibilityTimeout);
    }),
    ChangeMessageVisibilityBatch: operation(inputs.changeMessageVisibilityBatch, (input, request) => {
      const queue = allowedQueue(request, 'ChangeMessageVisibility', input.QueueUrl);
      return inOneCommit(input.Entries, (entry) =>
        engine.changeVisibility(queue.arn, entry.ReceiptHandle, entry.VisibilityTimeout),
      );
    }),
    PurgeQueue: operation(inputs.purgeQueue, (input, request) => {
      engine.purge(allowedQueue(request, 'PurgeQueue', input.QueueUrl).arn);
    }),
    GetQueueUrl: operation(inputs.getQueueUrl, (input, request) => {
      const queue = queues.find(({ name }) => name === input.QueueName);
      if (!queue) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
      allow(request.caller, 'GetQueueUrl', queue);
      return { QueueUrl: queue.url };
    }),
    GetQueueAttributes: operation(inputs.getQueueAttributes, (input, request) => {
      const queue = allowedQueue(request, 'GetQueueAttributes', input.QueueUrl);
      const attributes = queueAttributes(queue, engine.counts(queue.arn), input.AttributeNames ?? []);
      return Object.keys(attributes).length > 0 ? { Attributes: attributes } : {};
    }),
    ListQueues: operation(inputs.listQueues, (input, { caller }) => {
      requireAccess(caller, { action: 'sqs:ListQueues', resource: '*' });
      const named = queues.filter(({ name }) => name.startsWith(input.QueueNamePrefix ?? ''));
      return named.length > 0 ? { QueueUrls: named.map(({ url }) => url) } : {};
    }),
    ListDeadLetterSourceQueues: operation(inputs.listDeadLetterSourceQueues, (input, request) => {
      const deadLetters = allowedQueue(request, 'ListDeadLetterSourceQueues', input.QueueUrl);
      const sources = queues.filter(({ redrive }) => redrive?.deadLetterArn === deadLetters.arn);
      return { queueUrls: sources.map(({ url }) => url) };
    }),
    StartMessageMoveTask: operation(inputs.startMessageMoveTask, (input, { caller }) => {
      const source = engine.queue(input.SourceArn);
      const feeding = queues.filter(({ redrive }) => redrive?.deadLetterArn === source.arn);
      if (feeding.length === 0) {
        throw new AwsError(
          'InvalidParameterValue',
          'Source queue must be configured as a Dead Letter Queue.',
        );
      }
      for (const action of [
        'StartMessageMoveTask',
        'ReceiveMessage',
        'DeleteMessage',
        'GetQueueAttributes',
      ]) {
        allow(caller, action, source);
      }
      for (const destination of input.DestinationArn ? [engine.queue(input.DestinationArn)] : feeding) {
        allow(caller, 'SendMessage', destination);
      }
      const TaskHandle = moveTasks.start({
        sourceArn: source.arn,
        destinationArn: input.DestinationArn,
        perSecond: input.MaxNumberOfMessagesPerSecond,
      });
      return { TaskHandle };
    }),
    ListMessageMoveTasks: operation(inputs.listMessageMoveTasks, (input, { caller }) => {
      const source = engine.queue(input.SourceArn);
      allow(caller, 'ListMessageMoveTasks', source);
      return { Results: moveTasks.list(source.arn, input.MaxResults ?? 1).map(taskToWire) };
    }),
    CancelMessageMoveTask: operation(inputs.cancelMessageMoveTask, (input, { caller }) => {
      const source = engine.queue(moveTasks.sourceOf(input.TaskHandle));
      allow(caller, 'CancelMessageMoveTask', source);
      return { ApproximateNumberOfMessagesMoved: moveTasks.cancel(input.TaskHandle) };
    }),
  };
}

/** Returns the trace header. https://docs.aws.amazon.com/xray/latest/devguide/xray-services-sqs.html */
const traceOf = ({ headers }: ServiceRequest): string | undefined => headers['x-amzn-trace-id']?.toString();

function senderOf({ principal }: Caller): string {
  return principal.kind === 'identity' ? (principal.arn.split(':').at(-1) ?? principal.arn) : principal.kind;
}

/**
 * Runs each entry of a batch. A refused entry does not affect the others.
 *
 * @throws AwsError for an invalid batch: no entries, more than 10, or invalid or repeated ids.
 */
function runBatch<Entry extends { Id: string }>(entries: readonly Entry[], run: (entry: Entry) => unknown) {
  checkBatch(entries);
  const successful: object[] = [];
  const failed: object[] = [];
  for (const entry of entries) {
    try {
      successful.push(Object.assign({ Id: entry.Id }, run(entry)));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful: successful, ...(failed.length > 0 && { Failed: failed }) };
}

function checkBatch(entries: readonly { Id: string }[]): void {
  if (entries.length === 0) {
    throw new AwsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > 10) {
    throw new AwsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${entries.length}.`,
    );
  }
  if (!entries.every(({ Id }) => /^[A-Za-z0-9_-]{1,80}$/.test(Id))) {
    throw new AwsError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores.',
    );
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new AwsError(
      'BatchEntryIdsNotDistinct',
      'Two or more batch entries in the request have the same Id.',
    );
  }
}
