import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { requestsOfPrograms, requestsOfWebPages, sendRaw } from '@herald/loopback/testing.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMovableClock } from '../../clock.ts';
import { startEngines } from '../../engines/start.ts';
import { accountId, queueArn, smallModel, startTestCloud, type TestCloud } from '../../testing/cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  cloud.grant('nothing');
});
afterAll(() => cloud.stop());

type Client = ReturnType<TestCloud['client']>;

/** One call per service. */
const calls: [string, (client: Client) => Promise<unknown>][] = [
  ['DynamoDB', (client) => new DynamoDBClient(client).send(new ListTablesCommand({}))],
  ['KMS', (client) => new KMSClient(client).send(new DescribeKeyCommand({ KeyId: 'tokens' }))],
  ['Scheduler', (client) => new SchedulerClient(client).send(new ListSchedulesCommand({}))],
  ['SQS', (client) => new SQSClient(client).send(new ListQueuesCommand({}))],
  ['SSM', (client) => new SSMClient(client).send(new GetParameterCommand({ Name: '/herald/greeting' }))],
];
const readMissing = (client: Client) =>
  new S3Client(client).send(new GetObjectCommand({ Bucket: 'media', Key: 'k' }));

describe('a caller', () => {
  it.each(calls)('may call %s with a valid signature', async (_, call) => {
    await expect(call(cloud.client())).resolves.toBeDefined();
  });

  it.each(calls)('is refused by %s with a wrong secret', async (_, call) => {
    const credentials = { accessKeyId: 'administrator', secretAccessKey: 'guessed' };
    await expect(call({ ...cloud.client(), credentials })).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    });
  });

  it.each(calls)('is refused by %s with an unknown key', async (_, call) => {
    await expect(call(cloud.client('stranger'))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
  });

  it.each(calls)('is refused by %s with the session token of another', async (_, call) => {
    const { credentials } = cloud.client();
    const client = { ...cloud.client(), credentials: { ...credentials, sessionToken: 'other' } };
    await expect(call(client)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  it.each(calls)("without rights is refused by %s with AWS's message", async (_, call) => {
    await expect(call(cloud.client('nothing'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(
        new RegExp(
          `^User: arn:aws:sts::${accountId}:assumed-role/nothing/session is not authorized to perform: \\w+:\\w+ on resource: .+ because no identity-based policy allows the \\w+:\\w+ action$`,
        ),
      ),
    });
  });

  it("is refused by S3 with S3's own error codes", async () => {
    const wrong = { accessKeyId: 'administrator', secretAccessKey: 'guessed' };
    await expect(readMissing({ ...cloud.client(), credentials: wrong })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    await expect(readMissing(cloud.client('stranger'))).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
    await expect(readMissing(cloud.client('nothing'))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('is not authorized to perform: s3:GetObject'),
    });
    const head = new HeadObjectCommand({ Bucket: 'media', Key: 'k' });
    await expect(new S3Client(cloud.client('nothing')).send(head)).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
  });

  it('may send to a queue only if its policies allow it', async () => {
    const QueueUrl = `${cloud.engines.endpointUrl}/${accountId}/closed`;
    const send = (client: Client) =>
      new SQSClient(client).send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    await expect(send(cloud.client('nothing'))).rejects.toMatchObject({ name: 'AccessDeniedException' });
    cloud.grant('sender', { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queueArn('closed') });
    await expect(send(cloud.client('sender'))).resolves.toBeDefined();
  });
});

describe('time', () => {
  it('is in the Date header of every response, by the movable clock', async () => {
    const moved = await startTestCloud({ clock: createMovableClock({ offsetMs: 86_400_000 }) });
    const client = new DynamoDBClient(moved.client());
    let date = '';
    client.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        date = (answer.response as { headers: Record<string, string> }).headers['date'] ?? '';
        return answer;
      },
      { step: 'deserialize', priority: 'low' },
    );
    const earliest = moved.clock.now();
    await client.send(new ListTablesCommand({}));
    // The header has whole seconds.
    expect(Date.parse(date)).toBeGreaterThan(earliest - 1000);
    expect(Date.parse(date)).toBeLessThanOrEqual(moved.clock.now());
    expect(moved.clock.now() - Date.now()).toBeGreaterThan(86_000_000);
    await moved.stop();
  });

  it('of a signature may be anywhere between real time and the moved clock', async () => {
    const moved = await startTestCloud({ clock: createMovableClock({ offsetMs: 86_400_000 }) });
    const list = (systemClockOffset: number) =>
      new SQSClient({ ...moved.client(), systemClockOffset }).send(new ListQueuesCommand({}));
    await expect(list(0)).resolves.toBeDefined();
    await expect(list(86_400_000)).resolves.toBeDefined();
    await expect(list(43_200_000)).resolves.toBeDefined();
    await expect(list(86_400_000 + 16 * 60_000)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    await expect(list(-16 * 60_000)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    await moved.stop();
  });
});

describe('requests without a readable signature', () => {
  const post = (headers: Record<string, string>, body = '{}') =>
    fetch(cloud.engines.endpointUrl, { method: 'POST', headers, body });

  it('are refused in the format of their protocol if they are unsigned', async () => {
    const json = await post({ 'x-amz-target': 'AmazonSQS.ListQueues' });
    expect([json.status, await json.json()]).toMatchObject([
      403,
      { __type: 'MissingAuthenticationTokenException' },
    ]);
    const xml = await fetch(`${cloud.engines.endpointUrl}/media/k`);
    expect([xml.status, await xml.text()]).toMatchObject([
      403,
      expect.stringContaining('<Code>AccessDenied</Code>'),
    ]);
  });

  it('are refused if the signature is malformed', async () => {
    const answer = await post({
      'x-amz-target': 'AmazonSQS.ListQueues',
      authorization: 'AWS4-HMAC-SHA256 nonsense',
    });
    expect(await answer.json()).toMatchObject({ __type: 'IncompleteSignatureException' });
  });
});

describe('the control routes', () => {
  const url = (path: string) => `${cloud.engines.endpointUrl}/_local/${path}`;
  const move = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(url('clock'), { method: 'POST', body: JSON.stringify(body), headers });

  it('show and move the clock', async () => {
    const before = cloud.clock.now();
    const answer = await move({ advanceSeconds: 120 });
    expect(await answer.json()).toMatchObject({ offsetSeconds: 120 });
    expect(cloud.clock.now() - before).toBeGreaterThanOrEqual(120_000);
    const earliest = cloud.clock.now();
    const { now } = (await (await fetch(url('clock'))).json()) as { now: string };
    expect(Date.parse(now)).toBeGreaterThanOrEqual(earliest);
    expect(Date.parse(now)).toBeLessThanOrEqual(cloud.clock.now());
  });

  it.each([{ advanceSeconds: -1 }, { advanceSeconds: 'soon' }, {}])(
    'refuse to move the clock by %j',
    async (body) => {
      expect((await move(body)).status).toBe(400);
    },
  );

  it.each(requestsOfWebPages)('refuse %s', async (_what, method, headers) => {
    const { offsetMs } = cloud.clock;
    const before = offsetMs();
    const answer = await sendRaw(
      url('clock'),
      method,
      headers,
      method === 'GET' ? '' : '{"advanceSeconds":1}',
    );
    expect(answer.status).toBe(403);
    expect(offsetMs()).toBe(before);
  });

  it.each(requestsOfPrograms)('answer %s', async (_what, method, headers) => {
    expect((await sendRaw(url('clock'), method, headers)).status).toBe(200);
  });

  it('include routes that other code mounts', async () => {
    cloud.engines.control.mount('/_local/echo', ({ method, query, body }) => ({
      status: 201,
      body: { method, name: query.get('name'), body },
    }));
    const answer = await fetch(url('echo?name=a'), { method: 'PUT', body: '{"b":1}' });
    expect([answer.status, await answer.json()]).toEqual([201, { method: 'PUT', name: 'a', body: { b: 1 } }]);
    expect((await fetch(url('none'))).status).toBe(404);
  });
});

describe('the engines', () => {
  it('name the port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const dataDirectory = await mkdtemp(join(tmpdir(), 'herald-engines-'));
    const started = startEngines({
      model: smallModel,
      dataDirectory,
      clock: createMovableClock(),
      jitter: 'none',
      identities: { find: () => undefined },
      port,
    });
    await expect(started).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use: stop the other program.`);
    await rm(dataDirectory, { recursive: true });
    taken.close();
  });

  it('can be stopped twice', async () => {
    const short = await startTestCloud();
    await short.engines.stop();
    await short.stop();
  });
});
