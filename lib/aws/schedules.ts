import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { awsClientOptions } from './client-options.ts';

/** The group that holds the schedules, and the role and dead letters that they use. */
export interface ScheduleSettings {
  readonly groupName: string;
  readonly roleArn: string;
  readonly deadLetterArn: string;
}

/**
 * The time limit of a request. A healthy Scheduler answers within 0.1 s. The sweep handles messages whose schedule could not be
 * created.
 */
const requestTimeoutMs = 1_000;

/** One-off schedules that send a JSON message to a queue. */
export interface Schedules {
  /** Creates a schedule. If its name exists, keeps the existing one. `atMs` is in epoch milliseconds. */
  readonly create: (name: string, message: TenantMessage, atMs: number, queueUrl: string) => Promise<void>;
  /** Deletes the schedule of that name, if there is one. */
  readonly remove: (name: string) => Promise<void>;
}

type TenantMessage = { readonly workspaceId: string };

/**
 * Opens the schedules of a group. They call `SendMessage` of SQS themselves, as a universal target, because the message group
 * must be the workspace, as in {@link openTenantQueue}. The `SqsParameters` of a target that names the queue are documented only
 * for FIFO queues. https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-targets-universal.html
 */
export function openSchedules(settings: ScheduleSettings): Schedules {
  // Two attempts: the first one may meet a connection that was closed while the environment was frozen.
  const client = new SchedulerClient({ ...awsClientOptions({}, requestTimeoutMs), maxAttempts: 2 });
  // `aws`, or the name of another partition of AWS.
  const [, partition] = settings.roleArn.split(':');
  return {
    create: async (name, message, atMs, queueUrl) => {
      const request = {
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.workspaceId,
      };
      try {
        await client.send(
          new CreateScheduleCommand({
            Name: name,
            GroupName: settings.groupName,
            // `at()` takes whole seconds in UTC, without a zone.
            ScheduleExpression: `at(${new Date(atMs).toISOString().slice(0, 19)})`,
            ScheduleExpressionTimezone: 'UTC',
            FlexibleTimeWindow: { Mode: 'OFF' },
            ActionAfterCompletion: 'DELETE',
            Target: {
              Arn: `arn:${partition}:scheduler:::aws-sdk:sqs:sendMessage`,
              RoleArn: settings.roleArn,
              Input: JSON.stringify(request),
              DeadLetterConfig: { Arn: settings.deadLetterArn },
              RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
            },
          }),
        );
      } catch (error) {
        if (!(error instanceof ConflictException)) throw error;
      }
    },
    remove: async (name) => {
      try {
        await client.send(new DeleteScheduleCommand({ Name: name, GroupName: settings.groupName }));
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error;
      }
    },
  };
}
