import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { awsClientOptions } from './client-options.ts';

/** The group that holds the schedules, and the role and queues that they use. */
export interface ScheduleSettings {
  readonly groupName: string;
  readonly roleArn: string;
  /** By the queue that a message names; one that names none goes to `publish`. */
  readonly queueArns: Readonly<Record<'publish' | 'upload', string>>;
  readonly deadLetterArn: string;
}

/** One-off schedules that send a JSON message to the queue. Creating one whose name exists changes nothing. */
export function openSchedules(settings: ScheduleSettings) {
  // Two attempts, because the relay waits for them. A schedule that could not be created is left to the sweep.
  const client = new SchedulerClient({ ...awsClientOptions(), maxAttempts: 2 });
  return {
    create: async (
      name: string,
      message: { readonly queue?: 'upload' | undefined },
      atMs: number,
    ): Promise<void> => {
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
              Arn: settings.queueArns[message.queue ?? 'publish'],
              RoleArn: settings.roleArn,
              Input: JSON.stringify(message),
              DeadLetterConfig: { Arn: settings.deadLetterArn },
              RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
            },
          }),
        );
      } catch (error) {
        if (!(error instanceof ConflictException)) throw error;
      }
    },
    remove: async (name: string): Promise<void> => {
      try {
        await client.send(new DeleteScheduleCommand({ Name: name, GroupName: settings.groupName }));
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error;
      }
    },
  };
}

export type Schedules = ReturnType<typeof openSchedules>;
