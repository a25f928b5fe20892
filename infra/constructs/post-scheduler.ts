import { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { OperatorAlarms } from './alarms.ts';
import { createDeadLetters } from './work-queue.ts';

/** The group of the one-off schedules, the role that they send with, and the queue for messages they could not send. */
export class PostScheduler extends Construct {
  readonly groupName: string;
  /** Matches every schedule of the group. */
  readonly schedulesArn: string;
  readonly role: Role;
  readonly deadLetters: Queue;

  /** @param target the queue that schedules send to */
  constructor(scope: Construct, id: string, { target, alarms }: { target: Queue; alarms: OperatorAlarms }) {
    super(scope, id);
    const stack = Stack.of(this);
    const group = new CfnScheduleGroup(this, 'Group');
    this.groupName = group.ref;
    this.schedulesArn = stack.formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.groupName}/*`,
    });
    this.deadLetters = createDeadLetters(this, 'DeadLetters', {
      impact: 'Scheduled posts may be late: Scheduler cannot reach the publish queue',
      sender: 'the schedules that functions create',
      alarms,
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
              resources: [target.queueArn, this.deadLetters.queueArn],
            }),
          ],
        }),
      },
    });
  }
}
