import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateScheduleCommand, GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountId, queueArn, region, roleArn } from '../../testing/cloud.ts';

let dataDirectory: string;
let running: ChildProcess | undefined;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'herald-crash-'));
});
afterAll(async () => {
  await kill();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function start() {
  running = fork(join(import.meta.dirname, '../support/run-engines.ts'), [dataDirectory]);
  const [{ endpointUrl }] = (await once(running, 'message')) as [{ endpointUrl: string }];
  const credentials = { accessKeyId: 'administrator', secretAccessKey: 'secret of administrator' };
  const client = { region, endpoint: endpointUrl, credentials };
  return {
    queueUrl: `${endpointUrl}/${accountId}/work`,
    sqs: new SQSClient(client),
    dynamodb: new DynamoDBClient(client),
    s3: new S3Client(client),
    scheduler: new SchedulerClient(client),
  };
}

async function kill() {
  if (!running || running.signalCode !== null) return;
  running.kill('SIGKILL');
  await once(running, 'exit');
}

it('keeps every acknowledged write if the process is killed, and restarts immediately', async () => {
  const before = await start();
  const TableName = 'posts';
  const Item = { pk: { S: 'kept' }, sk: { S: 'a' } };
  const place = { Bucket: 'media', Key: 'public/kept' };
  const schedule = { Name: 'kept', GroupName: 'posts' };
  await before.sqs.send(new SendMessageCommand({ QueueUrl: before.queueUrl, MessageBody: 'kept' }));
  await before.dynamodb.send(new PutItemCommand({ TableName, Item }));
  await before.s3.send(new PutObjectCommand({ ...place, Body: 'kept' }));
  await before.scheduler.send(
    new CreateScheduleCommand({
      ...schedule,
      ScheduleExpression: 'at(2999-01-01T00:00:00)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: queueArn('work'), RoleArn: roleArn },
    }),
  );
  await kill();

  const after = await start();
  const { Messages } = await after.sqs.send(new ReceiveMessageCommand({ QueueUrl: after.queueUrl }));
  const { Item: found } = await after.dynamodb.send(new GetItemCommand({ TableName, Key: Item }));
  const { Body } = await after.s3.send(new GetObjectCommand(place));
  expect(Messages?.map((message) => message.Body)).toEqual(['kept']);
  expect(found).toEqual(Item);
  expect(await Body?.transformToString()).toBe('kept');
  await expect(after.scheduler.send(new GetScheduleCommand(schedule))).resolves.toMatchObject(schedule);
});
