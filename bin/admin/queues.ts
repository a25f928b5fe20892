import { setTimeout as delay } from 'node:timers/promises';
import {
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  ListQueuesCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { recordAct } from '../../lib/audit/record.ts';
import { inStage } from '../../lib/audit/stage.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { type Commands, print } from './command.ts';

interface Queue {
  /** The name of its construct, such as `Publish`. */
  readonly name: string;
  readonly arn: string;
  readonly waiting: number;
  readonly inWork: number;
  /** The dead-letter queue that messages are moved to if they keep failing. */
  readonly deadLetterArn: string | undefined;
}

export const queueCommands: Commands = {
  'queue list': {
    verb: 'queue.read',
    words: [],
    summary: 'show how many messages each queue has: waiting, in progress and dead letters',
    run: async ({ stage }) => {
      const queues = await findQueues(stage);
      const byArn = new Map(queues.map((queue) => [queue.arn, queue]));
      const deadLetterArns = new Set(queues.map(({ deadLetterArn }) => deadLetterArn));
      print(
        queues
          .filter(({ arn }) => !deadLetterArns.has(arn))
          .map(({ name, waiting, inWork, deadLetterArn }) => ({
            name,
            waiting,
            inWork,
            ...(deadLetterArn !== undefined && { deadLetters: byArn.get(deadLetterArn)?.waiting ?? 0 }),
          })),
      );
    },
  },
  'queue redrive': {
    verb: 'queue.redrive',
    words: ['queue name'],
    summary: 'move a queue’s dead letters back to it, after their cause is fixed',
    detail:
      'Safe for every queue that has its own dead-letter queue: outdated messages have no effect. ' +
      'Dead letters of schedules and of the table’s stream belong to no queue: see docs/runbook.md.',
    run: async (operator, name = '') => {
      const queues = await findQueues(operator.stage);
      const queue = queues.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
      const redrivable = queues.filter(({ deadLetterArn }) => deadLetterArn !== undefined);
      if (queue?.deadLetterArn === undefined) {
        const names = redrivable.map((each) => each.name).join(', ');
        throw new HeraldError(
          'not_found',
          `${name}: ${queue ? 'has no dead-letter queue of its own, see docs/runbook.md' : 'no such queue'}. Choose one of: ${names}`,
        );
      }
      const deadLetters = queues.find(({ arn }) => arn === queue.deadLetterArn);
      if (!deadLetters?.waiting) {
        console.log(`${queue.name} has no dead letters.`);
        return;
      }
      await recordAct(inStage(operator), queue.name);
      console.log(await redrive(queue, queue.deadLetterArn));
    },
  },
};

/** Finds all queues of the stage by their names' prefix, which comes from the names of the stacks. */
async function findQueues(stage: string): Promise<Queue[]> {
  const sqs = new SQSClient();
  const urls: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await sqs.send(
      new ListQueuesCommand({ QueueNamePrefix: `herald-${stage}-`, MaxResults: 100, NextToken }),
    );
    urls.push(...(page.QueueUrls ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return Promise.all(
    urls.map(async (QueueUrl) => {
      const { Attributes: attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      const { deadLetterTargetArn } = JSON.parse(attributes.RedrivePolicy ?? '{}');
      return {
        name: constructName(QueueUrl),
        arn: attributes.QueueArn ?? '',
        waiting:
          Number(attributes.ApproximateNumberOfMessages) +
          Number(attributes.ApproximateNumberOfMessagesDelayed),
        inWork: Number(attributes.ApproximateNumberOfMessagesNotVisible),
        deadLetterArn: deadLetterTargetArn as string | undefined,
      };
    }),
  );
}

/** `…/herald-dev-workers-PublishQueue1A2B3C4D-xyz` is `Publish`. */
function constructName(url: string): string {
  const name = url.split('/').at(-1) ?? '';
  const [, construct = name] = /^herald-[a-z]+-[a-z]+-([A-Za-z]+?)(?:Queue)?[0-9A-F]{8}/.exec(name) ?? [];
  return construct;
}

const endStatuses: readonly (string | undefined)[] = ['COMPLETED', 'CANCELLED', 'FAILED'];
const watchMs = 20_000;

/**
 * Starts SQS's own move task and watches it for 20 seconds; after that it continues by itself. Names the destination,
 * because SQS does not know the source of messages that a worker sent to the dead-letter queue.
 */
async function redrive({ arn, name }: Queue, deadLetterArn: string): Promise<string> {
  const sqs = new SQSClient();
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetterArn, DestinationArn: arn }));
  for (let waitedMs = 0; waitedMs < watchMs; waitedMs += 200) {
    const { Results = [] } = await sqs.send(
      new ListMessageMoveTasksCommand({ SourceArn: deadLetterArn, MaxResults: 1 }),
    );
    const [task] = Results;
    if (task && endStatuses.includes(task.Status)) {
      if (task.Status !== 'COMPLETED')
        throw new Error(`${name}: the move ended with ${task.Status}: ${task.FailureReason}`);
      return `Moved ${task.ApproximateNumberOfMessagesMoved} back to ${name}.`;
    }
    await delay(200);
  }
  return `${name}: the move continues. To see how many messages are left, run queue list.`;
}
