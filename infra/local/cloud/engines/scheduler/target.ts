/** Sends a schedule's input to its target, a queue, in its role. Like AWS, checks the role's trust and rights each time. */

import { randomUUID } from 'node:crypto';
import type { Caller } from '../../identity/policy-decision.ts';
import { decide } from '../../identity/policy-decision.ts';
import type { QueueResource, RoleResource } from '../../model.ts';
import { AwsError, requireAccess } from '../errors.ts';
import type { MessageAttribute, QueueEngine } from '../types.ts';
import { isUniversal, sendMessageInput } from './inputs.ts';
import type { Schedule } from './schedule-store.ts';

export interface TargetDependencies {
  readonly region: string;
  readonly accountId: string;
  readonly roles: readonly RoleResource[];
  readonly queues: readonly QueueResource[];
  readonly queueEngine: QueueEngine;
}

export interface Targets {
  /** @throws AwsError `ValidationException` unless Scheduler may assume the role for this group. */
  checkRole(roleArn: string, groupName: string): void;
  /** Sends the schedule's input to its queue. @throws AwsError if that fails. */
  invoke(schedule: Schedule): void;
  /** Sends the undelivered input to the schedule's dead-letter queue, if it has one. @throws AwsError if that fails. */
  giveUp(schedule: Schedule, error: AwsError, exhausted: string): void;
}

export function createTargets(dependencies: TargetDependencies): Targets {
  const { region, accountId } = dependencies;
  const roles = new Map(dependencies.roles.map((role) => [role.arn, role]));
  const queues = new Map(dependencies.queues.map((queue) => [queue.arn, queue]));

  function assumeRole(roleArn: string, groupName: string): Caller {
    const role = roles.get(roleArn);
    const service: Caller = {
      principal: { kind: 'service', service: 'scheduler.amazonaws.com' },
      policies: [],
    };
    const trusted =
      role !== undefined &&
      decide(service, {
        action: 'sts:AssumeRole',
        resource: roleArn,
        resourcePolicy: role.trustPolicy,
        context: {
          'aws:SourceAccount': accountId,
          'aws:SourceArn': `arn:aws:scheduler:${region}:${accountId}:schedule-group/${groupName}`,
        },
      }).allowed;
    if (!trusted) {
      throw new AwsError(
        'ValidationException',
        'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
      );
    }
    const arn = `arn:aws:sts::${accountId}:assumed-role/${roleArn.split('/').at(-1)}/${randomUUID()}`;
    return { principal: { kind: 'identity', arn }, policies: role.policies };
  }

  function send(
    schedule: Schedule,
    queueArn: string,
    message: {
      body: string;
      groupId?: string | undefined;
      delaySeconds?: number | undefined;
      attributes?: Record<string, MessageAttribute>;
    },
  ): void {
    const role = assumeRole(schedule.definition.Target.RoleArn, schedule.groupName);
    const queue = queues.get(queueArn);
    if (!queue)
      throw new AwsError('AWS.SimpleQueueService.NonExistentQueue', 'The specified queue does not exist.');
    requireAccess(role, { action: 'sqs:SendMessage', resource: queue.arn, resourcePolicy: queue.policy });
    dependencies.queueEngine.send({
      queueArn: queue.arn,
      body: message.body,
      messageAttributes: message.attributes ?? {},
      ...(message.groupId !== undefined && { messageGroupId: message.groupId }),
      ...(message.delaySeconds !== undefined && { delaySeconds: message.delaySeconds }),
    });
  }

  /** Returns a queue's ARN from its URL, which ends with the account's id and the queue's name. */
  function arnOfQueue(url: string): string {
    const [account, name] = new URL(url).pathname.split('/').slice(-2);
    return `arn:aws:sqs:${region}:${account}:${name}`;
  }

  return {
    checkRole(roleArn, groupName) {
      assumeRole(roleArn, groupName);
    },
    invoke(schedule) {
      const { Target } = schedule.definition;
      if (isUniversal(Target.Arn)) {
        const input = JSON.parse(filledInput(schedule, arnOf(schedule, region, accountId)));
        const { QueueUrl, MessageBody, MessageGroupId, DelaySeconds } = sendMessageInput.parse(input);
        send(schedule, arnOfQueue(QueueUrl), {
          body: MessageBody,
          groupId: MessageGroupId,
          delaySeconds: DelaySeconds,
        });
        return;
      }
      send(schedule, Target.Arn, {
        body: filledInput(schedule, arnOf(schedule, region, accountId)),
        groupId: Target.SqsParameters?.MessageGroupId,
      });
    },
    giveUp(schedule, error, exhausted) {
      const { Target } = schedule.definition;
      if (Target.DeadLetterConfig?.Arn === undefined) return;
      const scheduleArn = arnOf(schedule, region, accountId);
      const facts = {
        ERROR_CODE: error.code,
        ERROR_MESSAGE: error.message,
        EXHAUSTED_RETRY_CONDITION: exhausted,
        RETRY_ATTEMPTS: String(schedule.failedAttempts - 1),
        SCHEDULED_TIME: isoSeconds(schedule.scheduledAtMs),
        SCHEDULE_ARN: scheduleArn,
        TARGET_ARN: Target.Arn,
      };
      const attributes = Object.entries(facts).map(([name, stringValue]) => [
        name,
        { dataType: 'String', stringValue },
      ]);
      send(schedule, Target.DeadLetterConfig.Arn, {
        body: filledInput(schedule, scheduleArn),
        attributes: Object.fromEntries(attributes),
      });
    },
  };
}

export function arnOf(
  schedule: Pick<Schedule, 'groupName' | 'name'>,
  region: string,
  accountId: string,
): string {
  return `arn:aws:scheduler:${region}:${accountId}:schedule/${schedule.groupName}/${schedule.name}`;
}

/**
 * Fills in the context attributes.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html
 */
function filledInput(schedule: Schedule, scheduleArn: string): string {
  return (schedule.definition.Target.Input ?? '{}')
    .replaceAll('<aws.scheduler.schedule-arn>', scheduleArn)
    .replaceAll('<aws.scheduler.scheduled-time>', isoSeconds(schedule.scheduledAtMs))
    .replaceAll('<aws.scheduler.execution-id>', randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', String(schedule.failedAttempts + 1));
}

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
