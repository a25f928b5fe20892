/** The inputs of EventBridge Scheduler's operations, as sent over HTTP. */

import { z } from 'zod';

export const name = z
  .string()
  .regex(/^[0-9a-zA-Z\-_.]{1,64}$/, 'Member must satisfy regular expression pattern: ^[0-9a-zA-Z-_.]+$');

const flexibleTimeWindow = z.discriminatedUnion('Mode', [
  z.object({ Mode: z.literal('OFF') }),
  z.object({ Mode: z.literal('FLEXIBLE'), MaximumWindowInMinutes: z.number().int().min(1).max(1440) }),
]);

const queueArn = /^arn:aws[a-z-]*:sqs:[^:]+:\d{12}:[^:]+$/;
const sendMessageArn = /^arn:aws[a-z-]*:scheduler:::aws-sdk:sqs:sendMessage$/;

/** Returns true if a target is the universal target that calls SQS's `SendMessage`. */
export const isUniversal = (arn: string): boolean => sendMessageArn.test(arn);

/**
 * The input of that target: the parameters of the request, as JSON. The local cloud accepts those that the service uses.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-universal.html
 */
export const sendMessageInput = z.strictObject({
  QueueUrl: z.string().min(1),
  MessageBody: z.string().min(1),
  DelaySeconds: z.number().int().min(0).max(900).optional(),
  MessageGroupId: z
    .string()
    .regex(/^[\w!"#$%&'()*+,./:;<=>?@[\\\]^`{|}~-]{1,128}$/)
    .optional(),
});

const isSendMessageInput = (input: string | undefined): boolean => {
  try {
    return sendMessageInput.safeParse(JSON.parse(input ?? '')).success;
  } catch {
    return false;
  }
};

const target = z
  .object({
    Arn: z.string().refine((arn) => queueArn.test(arn) || isUniversal(arn), {
      message: "the local cloud supports only queues and SQS's SendMessage as targets",
    }),
    RoleArn: z.string().regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/),
    Input: z.string().min(1).optional(),
    RetryPolicy: z
      .object({
        MaximumRetryAttempts: z.number().int().min(0).max(185).default(185),
        MaximumEventAgeInSeconds: z.number().int().min(60).max(86_400).default(86_400),
      })
      .default({ MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 }),
    DeadLetterConfig: z.object({ Arn: z.string().optional() }).optional(),
    SqsParameters: z.object({ MessageGroupId: z.string().optional() }).optional(),
  })
  .refine(
    ({ Arn, Input, SqsParameters }) =>
      !isUniversal(Arn) || (SqsParameters === undefined && isSendMessageInput(Input)),
    {
      message:
        'the input of a universal target must be the JSON of the request to SQS, and it takes no SqsParameters',
    },
  );

/** The body of a create or an update. An update replaces the whole schedule: omitted fields get their defaults. */
export const definition = z.object({
  GroupName: name.default('default'),
  ScheduleExpression: z.string().min(1).max(256),
  ScheduleExpressionTimezone: z.string().min(1).max(50).default('UTC'),
  FlexibleTimeWindow: flexibleTimeWindow,
  Target: target,
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  ActionAfterCompletion: z.enum(['NONE', 'DELETE']).default('NONE'),
  Description: z.string().max(512).optional(),
  ClientToken: z
    .string()
    .regex(/^[a-zA-Z0-9-_]{1,64}$/)
    .optional(),
});

export type ScheduleDefinition = z.infer<typeof definition>;

export const listQuery = z.object({
  ScheduleGroup: name.optional(),
  NamePrefix: name.optional(),
  State: z.enum(['ENABLED', 'DISABLED']).optional(),
  MaxResults: z.coerce.number().int().min(1).max(100).default(100),
  NextToken: z.string().optional(),
});

export type ListQuery = z.infer<typeof listQuery>;
