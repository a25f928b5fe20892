import { Duration, Validations } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { alarmOperators } from './alarms.ts';

export interface WorkQueueProps {
  readonly consumerTimeoutSeconds: number;
  /** What waits or fails when this queue does: the alarm's heading in `docs/runbook.md`, such as `Posts are late`. */
  readonly harm: string;
  /** The oldest message may be this old before operators hear of it. */
  readonly alarmAfterMinutes: number;
  readonly topic: ITopic;
}

/** A message is tried this often: Lambda advises at least 5, because a throttled receive counts too. */
const maximumReceives = 5;

/** A queue is never without its dead letters and their alarm. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.deadLetters = createDeadLetters(this, 'DeadLetters', props);
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      // Lambda's advice: six times the function's own limit, so that a throttled consumer does not lose its message.
      visibilityTimeout: Duration.seconds(6 * props.consumerTimeoutSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maximumReceives },
    });
    alarmOperators(this, 'TooOld', props.topic, {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1) }),
      above: props.alarmAfterMinutes * 60,
      periods: 3,
      heading: props.harm,
      description: `the oldest message of ${id} waits for more than ${props.alarmAfterMinutes} minutes. Look at its consumer's errors and throttles.`,
    });
  }
}

export interface DeadLettersProps {
  readonly harm: string;
  readonly topic: ITopic;
  /** Who sends to it, where that is no queue's redrive policy. */
  readonly namedBy?: string;
}

/** A queue for what could not be delivered, kept as long as SQS keeps anything, and an alarm on its first message. */
export function createDeadLetters(
  scope: Construct,
  id: string,
  { harm, topic, namedBy }: DeadLettersProps,
): Queue {
  const queue = new Queue(scope, id, { enforceSSL: true, retentionPeriod: Duration.days(14) });
  alarmOperators(scope, `${id}NotEmpty`, topic, {
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    }),
    above: 0,
    heading: 'A dead-letter queue holds messages',
    description: `${harm}, see ${scope.node.path}/${id}. Read a message, mend the cause, then redrive the queue.`,
  });
  if (namedBy !== undefined) {
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: `It holds dead letters itself, for ${namedBy}.`,
    });
  }
  return queue;
}
