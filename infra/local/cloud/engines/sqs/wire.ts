/** Converts messages, queues and tasks between SQS's wire format and the engine's. Pure. */

import type { QueueResource } from '../../model.ts';
import type { MessageAttribute, OutgoingMessage, QueueMessage, SentMessage } from '../types.ts';
import type { Outgoing } from './inputs.ts';
import type { MoveTask } from './move-tasks.ts';

/** @param requestTrace the request's trace header, which the SDK of a function sends on */
export function fromWire(
  queueArn: string,
  message: Outgoing,
  senderId: string,
  requestTrace: string | undefined,
): OutgoingMessage {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(
    ([name, attribute]): [string, MessageAttribute] => [
      name,
      {
        dataType: attribute.DataType,
        ...(attribute.StringValue !== undefined && { stringValue: attribute.StringValue }),
        ...(attribute.BinaryValue !== undefined && { binaryValue: attribute.BinaryValue }),
      },
    ],
  );
  const traceHeader = message.MessageSystemAttributes?.AWSTraceHeader?.StringValue ?? requestTrace;
  return {
    queueArn,
    body: message.MessageBody,
    senderId,
    messageAttributes: Object.fromEntries(attributes),
    ...(message.DelaySeconds !== undefined && { delaySeconds: message.DelaySeconds }),
    ...(message.MessageGroupId !== undefined && { messageGroupId: message.MessageGroupId }),
    ...(traceHeader !== undefined && { traceHeader }),
  };
}

export function sentToWire(sent: SentMessage) {
  return {
    MessageId: sent.messageId,
    MD5OfMessageBody: sent.md5OfBody,
    MD5OfMessageAttributes: sent.md5OfMessageAttributes,
  };
}

/** Converts a received message with the requested attributes. A name may be `All`, or end in `.*`. */
export function receivedToWire(
  message: QueueMessage,
  systemNames: readonly string[],
  attributeNames: readonly string[],
) {
  const attributes = Object.entries(message.attributes).filter(([name]) => isRequested(systemNames, name));
  const messageAttributes = Object.entries(message.messageAttributes)
    .filter(([name]) => isRequested(attributeNames, name))
    .map(([name, { dataType, stringValue, binaryValue }]) => [
      name,
      { DataType: dataType, StringValue: stringValue, BinaryValue: binaryValue },
    ]);
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: message.md5OfBody,
    Body: message.body,
    ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }),
    ...(messageAttributes.length > 0 && {
      MessageAttributes: Object.fromEntries(messageAttributes),
      MD5OfMessageAttributes: message.md5OfMessageAttributes,
    }),
  };
}

export function taskToWire(task: MoveTask) {
  return {
    // Only a running task can be cancelled, so only a running task has a handle.
    TaskHandle: task.status === 'RUNNING' ? task.handle : undefined,
    Status: task.status,
    SourceArn: task.sourceArn,
    DestinationArn: task.destinationArn,
    MaxNumberOfMessagesPerSecond: task.perSecond,
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.toMove,
    FailureReason: task.failureReason,
    StartedTimestamp: task.startedAtMs,
  };
}

export function queueAttributes(
  queue: QueueResource,
  counts: { visible: number; inFlight: number; delayed: number },
  names: readonly string[],
): Record<string, string> {
  const { redrive } = queue;
  const all: Record<string, string> = {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    VisibilityTimeout: String(queue.visibilityTimeoutSeconds),
    MessageRetentionPeriod: String(queue.retentionSeconds),
    DelaySeconds: String(queue.delaySeconds),
    MaximumMessageSize: '1048576',
    ReceiveMessageWaitTimeSeconds: '0',
    SqsManagedSseEnabled: 'true',
    ...(queue.policy && { Policy: JSON.stringify(queue.policy) }),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: redrive.deadLetterArn,
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    }),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => isRequested(names, name)));
}

function isRequested(names: readonly string[], name: string): boolean {
  return names.some(
    (requested) =>
      requested === 'All' ||
      requested === '.*' ||
      requested === name ||
      (requested.endsWith('.*') && name.startsWith(requested.slice(0, -1))),
  );
}
