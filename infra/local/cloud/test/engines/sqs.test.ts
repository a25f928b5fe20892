import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountId, queueArn, startTestCloud, type TestCloud } from '../../testing/cloud.ts';

let cloud: TestCloud;
let sqs: SQSClient;
let work: string;
let dead: string;

beforeAll(async () => {
  cloud = await startTestCloud();
  sqs = new SQSClient(cloud.client());
  work = `${cloud.engines.endpointUrl}/${accountId}/work`;
  dead = `${cloud.engines.endpointUrl}/${accountId}/dead`;
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  for (const QueueUrl of [work, dead]) await sqs.send(new PurgeQueueCommand({ QueueUrl }));
});

const send = (MessageBody: string, extra: object = {}) =>
  sqs.send(new SendMessageCommand({ QueueUrl: work, MessageBody, ...extra }));
const receive = async (QueueUrl: string, extra: object = {}) => {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
    ...extra,
  });
  return (await sqs.send(command)).Messages ?? [];
};
const bodies = (messages: { Body?: string | undefined }[]) => messages.map(({ Body }) => Body);

describe('sending and receiving', () => {
  it('delivers a message with its attributes, checksums and system attributes', async () => {
    const MessageAttributes = {
      kind: { DataType: 'String', StringValue: 'greeting' },
      count: { DataType: 'Number', StringValue: '3' },
      raw: { DataType: 'Binary', BinaryValue: Buffer.from([0, 255]) },
    };
    const sent = await send('héllo 🎈', { MessageAttributes, MessageGroupId: 'workspace-1' });
    const [message] = await receive(work);
    expect(message?.Body).toBe('héllo 🎈');
    expect(message?.MessageId).toBe(sent.MessageId);
    expect(message?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
    expect(message?.MessageAttributes?.['raw']?.BinaryValue).toEqual(new Uint8Array([0, 255]));
    expect(message?.Attributes).toMatchObject({
      ApproximateReceiveCount: '1',
      MessageGroupId: 'workspace-1',
    });
  });

  it('computes the MD5 of attributes as AWS documents it', async () => {
    const { MD5OfMessageAttributes } = await send('x', {
      MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } },
    });
    // The MD5 of 00000001 'a' 00000006 'String' 01 00000001 'b', computed independently of this code.
    expect(MD5OfMessageAttributes).toBe('bef8bf215374a0a228d67533b1a488be');
  });

  it('omits Messages if there are none', async () => {
    const output = await sqs.send(new ReceiveMessageCommand({ QueueUrl: work }));
    expect(output.Messages).toBeUndefined();
  });

  it('handles each entry of a batch separately', async () => {
    const Entries = [
      { Id: 'good', MessageBody: 'one' },
      { Id: 'bad', MessageBody: 'two', DelaySeconds: 901 },
    ];
    const output = await sqs.send(new SendMessageBatchCommand({ QueueUrl: work, Entries }));
    expect(output.Successful?.map(({ Id }) => Id)).toEqual(['good']);
    expect(output.Failed).toMatchObject([{ Id: 'bad', Code: 'InvalidParameterValue', SenderFault: true }]);
  });

  it('answers a long poll as soon as a message arrives', async () => {
    const waiting = receive(work, { WaitTimeSeconds: 20 });
    await vi.waitFor(() => undefined);
    await send('at last');
    expect(bodies(await waiting)).toEqual(['at last']);
  });

  it('ends a long poll when its wait time has passed', async () => {
    const waiting = cloud.engines.queues.receive({ queueArn: queueArn('work'), max: 1, waitMs: 20_000 });
    cloud.clock.advance(20_000);
    expect(await waiting).toEqual([]);
  });

  it('alternates between the message groups of a standard queue', async () => {
    for (const body of ['a1', 'a2', 'a3', 'a4']) await send(body, { MessageGroupId: 'a' });
    for (const body of ['b1', 'b2']) await send(body, { MessageGroupId: 'b' });
    expect(bodies(await receive(work))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('serves a new group before the backlog of another', async () => {
    for (let index = 0; index < 30; index += 1) await send(`a${index}`, { MessageGroupId: 'a' });
    await receive(work);
    await send('b', { MessageGroupId: 'b' });
    expect(bodies(await receive(work, { MaxNumberOfMessages: 2 }))).toContain('b');
  });
});

describe('time', () => {
  it.each([1, 30, 900])('hides a message for its delay of %i seconds', async (DelaySeconds) => {
    await send('later', { DelaySeconds });
    cloud.clock.advance(DelaySeconds * 1000 - 900);
    expect(await receive(work)).toEqual([]);
    cloud.clock.advance(900);
    expect(bodies(await receive(work))).toEqual(['later']);
  });

  it('wakes a listener when a delay has passed', async () => {
    await send('later', { DelaySeconds: 60 });
    const listener = vi.fn();
    const stop = cloud.engines.queues.onMessage(queueArn('work'), listener);
    cloud.clock.advance(60_000);
    await expect.poll(() => listener).toHaveBeenCalledOnce();
    stop();
  });

  it('hides a received message for the visibility timeout and counts how often it is received', async () => {
    await send('once');
    await receive(work);
    expect(await receive(work)).toEqual([]);
    cloud.clock.advance(30_000);
    const [again] = await receive(work);
    expect(again?.Attributes?.['ApproximateReceiveCount']).toBe('2');
  });

  it('shows a message immediately if its visibility timeout is set to 0, and later if it is extended', async () => {
    await send('back');
    const [first] = await receive(work);
    const change = { QueueUrl: work, ReceiptHandle: first?.ReceiptHandle ?? '' };
    await sqs.send(new ChangeMessageVisibilityCommand({ ...change, VisibilityTimeout: 100 }));
    cloud.clock.advance(60_000);
    expect(await receive(work)).toEqual([]);
    await sqs.send(new ChangeMessageVisibilityCommand({ ...change, VisibilityTimeout: 0 }));
    expect(bodies(await receive(work))).toEqual(['back']);
  });

  it("deletes a message after its queue's retention period", async () => {
    await send('old');
    cloud.clock.advance(345_601_000);
    expect(await receive(work)).toEqual([]);
  });
});

describe('dead letters', () => {
  const failTwice = async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await receive(work)).toHaveLength(1);
      cloud.clock.advance(30_000);
    }
  };

  it('are messages that were received as often as allowed, and keep their send time', async () => {
    const earliest = cloud.clock.now();
    await send('poison');
    const latest = cloud.clock.now();
    await failTwice();
    expect(await receive(work)).toEqual([]);
    const [message] = await receive(dead);
    expect(message?.Body).toBe('poison');
    expect(message?.Attributes?.['DeadLetterQueueSourceArn']).toBe(queueArn('work'));
    const sentAt = Number(message?.Attributes?.['SentTimestamp']);
    expect(sentAt).toBeGreaterThanOrEqual(earliest);
    expect(sentAt).toBeLessThanOrEqual(latest);
  });

  it('return to their source queue with a move task', async () => {
    await send('poison');
    await failTwice();
    await receive(work);
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: queueArn('dead') }));
    const tasks = await vi.waitFor(async () => {
      const { Results } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn: queueArn('dead') }));
      expect(Results?.[0]?.Status).toBe('COMPLETED');
      return Results;
    }, 30_000);
    expect(tasks?.[0]).toMatchObject({ ApproximateNumberOfMessagesMoved: 1 });
    const [message] = await receive(work);
    expect(message?.Attributes?.['ApproximateReceiveCount']).toBe('1');
  });

  it('are moved only out of a dead-letter queue', async () => {
    await expect(
      sqs.send(new StartMessageMoveTaskCommand({ SourceArn: queueArn('work') })),
    ).rejects.toMatchObject({
      message: 'Source queue must be configured as a Dead Letter Queue.',
    });
  });
});

describe('deleting', () => {
  it('deletes one or several messages by their latest receipt handles', async () => {
    await send('one');
    await send('two');
    const [one, two] = await receive(work);
    await sqs.send(new DeleteMessageCommand({ QueueUrl: work, ReceiptHandle: one?.ReceiptHandle }));
    const Entries = [
      { Id: '0', ReceiptHandle: two?.ReceiptHandle },
      { Id: '1', ReceiptHandle: 'nonsense' },
    ];
    const output = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: work, Entries }));
    expect(output).toMatchObject({
      Successful: [{ Id: '0' }],
      Failed: [{ Id: '1', Code: 'ReceiptHandleIsInvalid' }],
    });
    cloud.clock.advance(30_000);
    expect(await receive(work)).toEqual([]);
  });

  it('ignores a receipt handle that is not the latest', async () => {
    await send('twice');
    const [first] = await receive(work);
    cloud.clock.advance(30_000);
    await receive(work);
    await sqs.send(new DeleteMessageCommand({ QueueUrl: work, ReceiptHandle: first?.ReceiptHandle }));
    expect(cloud.engines.queues.counts(queueArn('work'))).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
  });
});

describe('refusals', () => {
  it.each([
    ['an unknown queue', 'QueueDoesNotExist', { QueueUrl: 'http://127.0.0.1/1/none' }],
    ['a control character', 'InvalidMessageContents', { MessageBody: 'a\u0000b' }],
    ['half a surrogate pair', 'InvalidMessageContents', { MessageBody: 'a\ud800' }],
    ['more than 1 MiB', 'InvalidParameterValue', { MessageBody: 'x'.repeat(1_048_577) }],
    ['a delay over 900 s', 'InvalidParameterValue', { DelaySeconds: 901 }],
    ['an empty body', 'MissingParameter', { MessageBody: '' }],
  ])('refuses %s', async (_, name, extra) => {
    const input = { QueueUrl: work, MessageBody: 'x', ...extra };
    const client = new SQSClient({ ...cloud.client(), useQueueUrlAsEndpoint: false });
    await expect(client.send(new SendMessageCommand(input))).rejects.toMatchObject({ name });
  });

  it('accepts a message of exactly 1 MiB', async () => {
    await send('x'.repeat(1_048_576));
    expect(await receive(work)).toHaveLength(1);
  });
});

describe('queues', () => {
  it('are found, listed and described', async () => {
    await send('one');
    await send('two', { DelaySeconds: 5 });
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'work' }));
    const { QueueUrls } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'w' }));
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    expect(QueueUrls).toEqual([QueueUrl]);
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesDelayed: '1',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn('dead'), maxReceiveCount: 2 }),
    });
  });
});
