import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { maximumReceives } from '../../lib/kernel/receives.ts';
import type { Stage } from '../stages.ts';
import type { AlarmGroup, OperatorAlarms } from './alarms.ts';
import { keepIfStageKeepsData, pinLogicalId } from './pin-logical-id.ts';

export interface WorkQueueProps {
  readonly consumerTimeoutSeconds: number;
  /** The work that is late or fails with this queue. It is the alarm's heading in `docs/runbook.md`, such as `Webhooks are late`. */
  readonly impact: string;
  /** The alarm fires if the oldest message is older than this. */
  readonly alarmAfterMinutes: number;
  readonly group: AlarmGroup;
  readonly alarms: OperatorAlarms;
  readonly stage: Stage;
}

/**
 * The hashes at the end of the logical ids of queues that are older than this table. A queue that is not here has the id
 * of its construct followed by `Queue` or `DeadLetters`.
 */
const firstIds: Readonly<Record<string, string>> = {
  MediaArrivedQueue: 'C2B3B704',
  MediaArrivedDeadLetters: '2445CDD2',
  WebhookQueue: 'CB2A9A4E',
  WebhookDeadLetters: '94E822C9',
  InboundQueue: '72656294',
  InboundDeadLetters: '401DDD01',
  PublishQueue: 'C2B81A20',
  PublishDeadLetters: 'EEA12E7E',
  ChainQueue: 'EED701B6',
  ChainDeadLetters: '2525F2D7',
  AutomationQueue: '31F93572',
  AutomationDeadLetters: '3DB059C4',
  ImportQueue: 'E1D89FBF',
  ImportDeadLetters: '7EA6D402',
  SchedulerDeadLetters: 'FC8F0FFC',
  relaydeadletters: '4E126BAA',
  announcedeadletters: 'DC7A0946',
};

/** Pins the id of a queue, and keeps it with its messages. @param name the beginning of the id */
function keepQueue(queue: Queue, name: string, stage: Stage): void {
  pinLogicalId(queue, `${name}${firstIds[name] ?? ''}`);
  keepIfStageKeepsData(queue, stage);
}

/** A queue together with its dead-letter queue and the alarms on both. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.deadLetters = createDeadLetters(this, 'DeadLetters', { ...props, name: `${id}DeadLetters` });
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      // Lambda recommends six times the function's timeout, so that it can retry while the consumer is throttled.
      visibilityTimeout: Duration.seconds(6 * props.consumerTimeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maximumReceives },
    });
    keepQueue(this.queue, `${id}Queue`, props.stage);
    props.alarms.add(this, 'TooOld', {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1) }),
      above: props.alarmAfterMinutes * 60,
      periods: 3,
      heading: props.impact,
      description: `the oldest message of the ${id} queue is older than ${props.alarmAfterMinutes} minutes. Look at its consumer's errors and throttles.`,
      group: props.group,
    });
  }
}

export interface DeadLettersProps {
  /** The work that is late or fails if a message arrives here; the alarm's description starts with it. */
  readonly impact: string;
  readonly alarms: OperatorAlarms;
  readonly stage: Stage;
  /** The beginning of its logical id. It never changes. */
  readonly name: string;
  /** The sender, if it is not the redrive policy of a queue. */
  readonly sender?: string;
}

/** Creates a dead-letter queue that keeps messages for 14 days, SQS's maximum, with an alarm on the first message. */
export function createDeadLetters(
  scope: Construct,
  id: string,
  { impact, alarms, stage, name, sender }: DeadLettersProps,
): Queue {
  const queue = new Queue(scope, id, { enforceSSL: true, retentionPeriod: Duration.days(14) });
  keepQueue(queue, name, stage);
  alarms.add(scope, `${id}NotEmpty`, {
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    }),
    above: 0,
    heading: 'A dead-letter queue holds messages',
    description: `${impact}. The queue is ${scope.node.path}/${id}. Read a message, fix the cause, then redrive the queue.`,
    group: 'none',
  });
  if (sender !== undefined) {
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: `It is itself a dead-letter queue, for ${sender}.`,
    });
  }
  return queue;
}
