import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  ListQueuesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { awsClientOptions } from './client-options.ts';
import { queueNameOf } from './queue-names.ts';

interface QueueEnd {
  readonly url: string;
  readonly arn: string;
  /** Messages that can be received now or after a delay. Approximate. */
  readonly waiting: number;
  /** Messages that a consumer has received and not deleted. Approximate. */
  readonly inWork: number;
}

/** A queue of a stage with its dead letters, or dead letters of another sender. */
export interface StageQueue {
  readonly name: string;
  /** Absent for the dead letters of EventBridge Scheduler and of the table's stream. */
  readonly queue?: QueueEnd;
  readonly deadLetters?: QueueEnd;
}

/** A message that lies in a queue. `body` may hold a customer's data: show it to nobody. */
export interface LyingMessage {
  readonly id: string;
  readonly body: string;
  /** The time of sending, in epoch milliseconds; SQS keeps it when it moves a message to the dead letters. */
  readonly sentMs: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Opens the queues of all stages, for operators. */
export function openStageQueues(client = new SQSClient(awsClientOptions())) {
  const receive = async (url: string, visibilitySeconds: number): Promise<readonly Message[]> => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: visibilitySeconds,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['SentTimestamp'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages;
  };

  return {
    /** Finds all queues of the stage by the prefix of their names, which comes from the names of the stacks. */
    find: async (stage: string): Promise<StageQueue[]> => {
      const byName = new Map<string, { queue?: QueueEnd; deadLetters?: QueueEnd }>();
      const urls = await listUrls(client, `herald-${stage}-`);
      const ends = await Promise.all(urls.map((url) => readEnd(client, url)));
      for (const end of ends) {
        const { name, isDeadLetters } = queueNameOf(end.url);
        byName.set(name, { ...byName.get(name), ...(isDeadLetters ? { deadLetters: end } : { queue: end }) });
      }
      return [...byName].map(([name, each]) => ({ name, ...each })).sort(byQueueName);
    },

    /**
     * Reads messages without deleting or hiding them. Only for dead letters: in a queue with a consumer, each read counts as one
     * of the message's five tries. SQS returns a sample, so some of many messages may be missing.
     *
     * @param limit the number of messages that are enough
     */
    peek: async (deadLetters: QueueEnd, limit: number): Promise<LyingMessage[]> => {
      const seen = new Map<string, LyingMessage>();
      for (let reads = 0; reads < maxReads && seen.size < limit; reads += 1) {
        const messages = (await receive(deadLetters.url, 0)).map(toLying);
        const isNew = messages.some(({ id }) => !seen.has(id));
        for (const message of messages) seen.set(message.id, message);
        if (!isNew) break;
      }
      return [...seen.values()].sort((one, other) => one.sentMs - other.sentMs).slice(0, limit);
    },

    /**
     * Starts SQS's own move task. Names the destination, because SQS does not know the source of messages that a worker sent
     * to the dead letters.
     */
    beginMove: async (from: QueueEnd, to: QueueEnd): Promise<void> => {
      await client.send(new StartMessageMoveTaskCommand({ SourceArn: from.arn, DestinationArn: to.arn }));
    },

    /** @returns the progress of the latest move; `undefined` if there is none */
    readMove: async (from: QueueEnd): Promise<MoveProgress | undefined> => {
      const { Results = [] } = await client.send(
        new ListMessageMoveTasksCommand({ SourceArn: from.arn, MaxResults: 1 }),
      );
      const [task] = Results;
      return (
        task && {
          status: task.Status ?? '',
          moved: task.ApproximateNumberOfMessagesMoved ?? 0,
          reason: task.FailureReason,
        }
      );
    },

    /**
     * Sends each message to another queue and then deletes it. For dead letters of schedules, which SQS's move task does not
     * accept, because no queue has sent them. After a crash in between, a message is in both queues: its receiver must allow
     * that.
     *
     * @param onMoved gets the number of messages moved so far
     * @returns the number of messages moved
     */
    moveOneByOne: async (from: QueueEnd, to: QueueEnd, onMoved: (moved: number) => void): Promise<number> => {
      let moved = 0;
      for (;;) {
        const messages = await receive(from.url, 60);
        if (messages.length === 0) return moved;
        for (const { Body = '', ReceiptHandle } of messages) {
          const body = messageInLetter(Body);
          const group = groupOf(body);
          await client.send(
            new SendMessageCommand({
              QueueUrl: to.url,
              MessageBody: body,
              ...(group !== undefined && { MessageGroupId: group }),
            }),
          );
          await client.send(new DeleteMessageCommand({ QueueUrl: from.url, ReceiptHandle }));
          moved += 1;
        }
        onMoved(moved);
      }
    },
  };
}

export type StageQueues = ReturnType<typeof openStageQueues>;

export interface MoveProgress {
  /** SQS's status, such as `RUNNING`, `COMPLETED` or `FAILED`. */
  readonly status: string;
  readonly moved: number;
  readonly reason: string | undefined;
}

const maxReads = 5;

const byQueueName = (one: StageQueue, other: StageQueue): number => (one.name < other.name ? -1 : 1);

async function listUrls(client: SQSClient, prefix: string): Promise<string[]> {
  const urls: string[] = [];
  let NextToken: string | undefined;
  do {
    const command = new ListQueuesCommand({ QueueNamePrefix: prefix, MaxResults: 100, NextToken });
    const page = await client.send(command);
    urls.push(...(page.QueueUrls ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return urls;
}

async function readEnd(client: SQSClient, url: string): Promise<QueueEnd> {
  const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] });
  const { Attributes: attributes = {} } = await client.send(command);
  return {
    url,
    arn: attributes.QueueArn ?? '',
    waiting:
      Number(attributes.ApproximateNumberOfMessages ?? 0) +
      Number(attributes.ApproximateNumberOfMessagesDelayed ?? 0),
    inWork: Number(attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}

function toLying({ MessageId, Body, Attributes, MessageAttributes = {} }: Message): LyingMessage {
  const attributes = Object.entries(MessageAttributes).map(([name, { StringValue }]) => [
    name,
    StringValue ?? '',
  ]);
  return {
    id: MessageId ?? '',
    body: Body ?? '',
    sentMs: Number(Attributes?.SentTimestamp),
    attributes: Object.fromEntries(attributes),
  };
}

/** Returns the workspace that a message is about. With it as the group, SQS serves the workspaces of a queue in turns. */
function groupOf(body: string): string | undefined {
  try {
    const { workspaceId } = JSON.parse(body);
    return typeof workspaceId === 'string' ? workspaceId : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the message in the dead letter of a schedule: the letter is the request that the schedule would have sent. For a
 * schedule of an earlier release, the letter is the message itself. Pure.
 */
export function messageInLetter(body: string): string {
  const request = parsed(body);
  return typeof request?.['MessageBody'] === 'string' ? request['MessageBody'] : body;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
