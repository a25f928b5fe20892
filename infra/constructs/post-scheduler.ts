import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import type { OperatorAlarms } from './alarms.ts';
import { keepIfStageKeepsData, pinLogicalId } from './pin-logical-id.ts';
import { createDeadLetters } from './work-queue.ts';

/** The group of the one-off schedules, the role that they send with, and the queue for messages they could not send. */
export class PostScheduler extends Construct {
  readonly groupName: string;
  /** Matches every schedule of the group. */
  readonly schedulesArn: string;
  readonly role: Role;
  readonly deadLetters: Queue;

  /** @param targets the queues that schedules send to */
  constructor(
    scope: Construct,
    id: string,
    { targets, alarms, stage }: { targets: readonly Queue[]; alarms: OperatorAlarms; stage: Stage },
  ) {
    super(scope, id);
    const stack = Stack.of(this);
    const group = new CfnScheduleGroup(this, 'Group');
    // Deleting a group deletes its schedules, which hold the posts of the coming days.
    pinLogicalId(group, 'SchedulerGroupC7019706');
    keepIfStageKeepsData(group, stage);
    this.groupName = group.ref;
    this.schedulesArn = stack.formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.groupName}/*`,
    });
    this.deadLetters = createDeadLetters(this, 'DeadLetters', {
      impact: 'Scheduled posts may be late: Scheduler cannot reach their queue',
      sender: 'the schedules that functions create',
      alarms,
      stage,
      name: 'SchedulerDeadLetters',
    });
    this.role = new Role(this, 'Role', {
      // Confused deputy prevention: only schedules of this group in this account may use the role.
      // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          ArnLike: { 'aws:SourceArn': group.attrArn },
        },
      }),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['sqs:SendMessage'],
              resources: [...targets, this.deadLetters].map(({ queueArn }) => queueArn),
            }),
          ],
        }),
      },
    });
  }
}
