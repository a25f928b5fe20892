/** The inputs of SQS's operations, as sent over HTTP. */

import { z } from 'zod';

const integer = z.number().int();
const queueUrl = z.string();
const queue = { QueueUrl: queueUrl };

const messageAttribute = z.object({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.base64().optional(),
});

const message = {
  MessageBody: z.string(),
  DelaySeconds: integer.optional(),
  MessageAttributes: z.record(z.string(), messageAttribute).nullish(),
  MessageSystemAttributes: z.object({ AWSTraceHeader: messageAttribute.optional() }).nullish(),
  MessageGroupId: z.string().optional(),
};

export const outgoing = z.object(message);
export type Outgoing = z.infer<typeof outgoing>;

const receipt = { ReceiptHandle: z.string() };
const visibility = { ...receipt, VisibilityTimeout: integer };

function batchOf<Shape extends z.ZodRawShape>(entry: Shape) {
  return z.object({ ...queue, Entries: z.array(z.object({ Id: z.string(), ...entry })) });
}

export const sendMessage = z.object({ ...queue, ...message });
export const sendMessageBatch = batchOf(message);
export const receiveMessage = z.object({
  ...queue,
  MaxNumberOfMessages: integer.optional(),
  WaitTimeSeconds: integer.optional(),
  VisibilityTimeout: integer.optional(),
  /** The older name of `MessageSystemAttributeNames`. */
  AttributeNames: z.array(z.string()).nullish(),
  MessageSystemAttributeNames: z.array(z.string()).nullish(),
  MessageAttributeNames: z.array(z.string()).nullish(),
});
export const deleteMessage = z.object({ ...queue, ...receipt });
export const deleteMessageBatch = batchOf(receipt);
export const changeMessageVisibility = z.object({ ...queue, ...visibility });
export const changeMessageVisibilityBatch = batchOf(visibility);
export const purgeQueue = z.object(queue);
export const getQueueUrl = z.object({ QueueName: z.string() });
export const getQueueAttributes = z.object({ ...queue, AttributeNames: z.array(z.string()).nullish() });
export const listQueues = z.object({
  QueueNamePrefix: z.string().optional(),
  MaxResults: integer.optional(),
  NextToken: z.string().optional(),
});
export const listDeadLetterSourceQueues = z.object(queue);
export const startMessageMoveTask = z.object({
  SourceArn: z.string(),
  DestinationArn: z.string().optional(),
  MaxNumberOfMessagesPerSecond: integer.min(1).max(500).optional(),
});
export const listMessageMoveTasks = z.object({
  SourceArn: z.string(),
  MaxResults: integer.min(1).max(10).optional(),
});
export const cancelMessageMoveTask = z.object({ TaskHandle: z.string() });
