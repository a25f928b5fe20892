import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMovableClock } from '../../clock.ts';
import { accountId, queueArn, region, roleArn, startTestCloud, type TestCloud } from '../../testing/cloud.ts';

let cloud: TestCloud;
let scheduler: SchedulerClient;
let count = 0;

beforeAll(async () => {
  // The clock starts at exactly 10:00:00, because expressions have whole seconds.
  const startedAt = Date.now();
  const tenOClock = Date.parse('2026-11-20T10:00:00Z');
  cloud = await startTestCloud({ clock: createMovableClock({ offsetMs: tenOClock - startedAt }) });
  scheduler = new SchedulerClient(cloud.client());
});
afterAll(() => cloud.stop());

const inSeconds = (seconds: number) =>
  `at(${new Date(cloud.clock.now() + seconds * 1000).toISOString().slice(0, 19)})`;

function schedule(overrides: Partial<CreateScheduleCommandInput> = {}): CreateScheduleCommandInput {
  count += 1;
  return {
    Name: `schedule-${count}`,
    GroupName: 'posts',
    ScheduleExpression: inSeconds(120),
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: { Arn: queueArn('work'), RoleArn: roleArn, Input: `input ${count}` },
    ...overrides,
  };
}
const create = async (overrides: Partial<CreateScheduleCommandInput> = {}) => {
  const input = schedule(overrides);
  await scheduler.send(new CreateScheduleCommand(input));
  return { Name: input.Name ?? '', GroupName: input.GroupName ?? '', body: input.Target?.Input ?? '' };
};
const received = async (queue: string, waitMs = 0) => {
  const { queues } = cloud.engines;
  const messages = await queues.receive({ queueArn: queueArn(queue), max: 10, waitMs });
  for (const { receiptHandle } of messages) queues.delete(queueArn(queue), receiptHandle);
  return messages;
};
const isGone = (Name: string, GroupName: string) =>
  expect(scheduler.send(new GetScheduleCommand({ Name, GroupName }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });

const sendMessage = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage';
const queueUrl = (name: string) => `https://sqs.${region}.amazonaws.com/${accountId}/${name}`;

describe("the universal target of SQS's SendMessage", () => {
  const to = (input: object, queue = 'work') => ({
    Arn: sendMessage,
    RoleArn: roleArn,
    Input: JSON.stringify({ QueueUrl: queueUrl(queue), MessageBody: '{"a":1}', ...input }),
  });

  it('sends the message with its group, to a standard queue too', async () => {
    await create({ Target: to({ MessageGroupId: 'workspace-1' }) });
    cloud.clock.advance(120_000);
    expect(await received('work', 20_000)).toMatchObject([
      { body: '{"a":1}', attributes: { MessageGroupId: 'workspace-1' } },
    ]);
  });

  it.each<[string, object]>([
    ['an unknown parameter', { Priority: 1 }],
    ['no text', { MessageBody: '' }],
    ['a group with a space', { MessageGroupId: 'a b' }],
    ['a group of 129 characters', { MessageGroupId: 'a'.repeat(129) }],
    ['a delay that is too long', { DelaySeconds: 901 }],
  ])('is refused with %s', async (_what, input) => {
    await expect(create({ Target: to(input) })).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('is refused if its input is no JSON, or with SqsParameters', async () => {
    for (const changes of [{ Input: 'text' }, { SqsParameters: { MessageGroupId: 'a' } }])
      await expect(create({ Target: { ...to({}), ...changes } })).rejects.toMatchObject({
        name: 'ValidationException',
      });
  });
});

describe('firing', () => {
  it('sends the input at its time, not before, and then deletes the schedule', async () => {
    const { Name, GroupName, body } = await create({ ScheduleExpression: inSeconds(120) });
    cloud.clock.advance(118_000);
    expect(await received('work')).toEqual([]);
    cloud.clock.advance(2000);
    expect((await received('work', 20_000)).map((message) => message.body)).toEqual([body]);
    await isGone(Name, GroupName);
  });

  it('keeps the schedule if ActionAfterCompletion is NONE', async () => {
    const { Name, GroupName } = await create({ ActionAfterCompletion: 'NONE' });
    cloud.clock.advance(120_000);
    await received('work', 20_000);
    expect(await scheduler.send(new GetScheduleCommand({ Name, GroupName }))).toMatchObject({ Name });
  });

  it("uses the schedule's time zone", async () => {
    const local = new Date(cloud.clock.now() + 3_600_000 + 60_000).toISOString().slice(0, 19);
    const { body } = await create({
      ScheduleExpression: `at(${local})`,
      ScheduleExpressionTimezone: 'Europe/Berlin',
    });
    cloud.clock.advance(61_000);
    expect((await received('work', 20_000)).map((message) => message.body)).toEqual([body]);
  });

  it('replaces context attributes in the input', async () => {
    const { Name } = await create({
      Target: { Arn: queueArn('work'), RoleArn: roleArn, Input: '<aws.scheduler.schedule-arn>' },
    });
    cloud.clock.advance(120_000);
    const [message] = await received('work', 20_000);
    expect(message?.body).toBe(`arn:aws:scheduler:${region}:${accountId}:schedule/posts/${Name}`);
  });

  it('skips disabled and deleted schedules', async () => {
    await create({ State: 'DISABLED' });
    const deleted = await create();
    await scheduler.send(new DeleteScheduleCommand(deleted));
    cloud.clock.advance(180_000);
    await new Promise(setImmediate);
    expect(await received('work')).toEqual([]);
  });

  it('continues after a restart', async () => {
    const { body } = await create();
    cloud.clock.advance(60_000);
    await cloud.restart();
    scheduler = new SchedulerClient(cloud.client());
    cloud.clock.advance(60_000);
    expect((await received('work', 20_000)).map((message) => message.body)).toEqual([body]);
  });
});

describe('failing', () => {
  it.each([
    ['as often as allowed', { MaximumRetryAttempts: 2 }, 'MaximumRetryAttempts', '2'],
    ['for as long as allowed', { MaximumEventAgeInSeconds: 60 }, 'MaximumEventAgeInSeconds', '5'],
  ])(
    'retries %s, then sends the input to the dead-letter queue',
    async (_, RetryPolicy, condition, retries) => {
      const { Name, body } = await create({
        Target: {
          Arn: queueArn('closed'),
          RoleArn: roleArn,
          Input: `input of ${condition}`,
          RetryPolicy,
          DeadLetterConfig: { Arn: queueArn('dead') },
        },
      });
      cloud.clock.advance(120_000);
      const messages = await vi.waitFor(
        async () => {
          cloud.clock.advance(1000);
          const dead = await received('dead');
          expect(dead).toHaveLength(1);
          return dead;
        },
        { interval: 2, timeout: 30_000 },
      );
      expect(messages[0]?.body).toBe(body);
      const text = (name: string) => messages[0]?.messageAttributes[name]?.stringValue;
      expect(text('ERROR_CODE')).toBe('AccessDenied');
      expect(text('ERROR_MESSAGE')).toContain('is not authorized to perform: sqs:SendMessage');
      expect(text('EXHAUSTED_RETRY_CONDITION')).toBe(condition);
      expect(text('RETRY_ATTEMPTS')).toBe(retries);
      expect(text('SCHEDULE_ARN')).toContain(Name);
      expect(text('TARGET_ARN')).toBe(queueArn('closed'));
    },
  );
});

describe('lateness', () => {
  it('fires up to a minute late in real mode, and never early', async () => {
    const late = await startTestCloud({ jitter: 'real' });
    const client = new SchedulerClient(late.client());
    const atMs = Math.ceil(late.clock.now() / 1000) * 1000 + 120_000;
    const ScheduleExpression = `at(${new Date(atMs).toISOString().slice(0, 19)})`;
    for (let index = 0; index < 20; index += 1) {
      await client.send(new CreateScheduleCommand(schedule({ ScheduleExpression })));
    }
    const arrived = () => late.engines.queues.counts(queueArn('work')).visible;
    late.clock.advance(atMs - late.clock.now() - 1);
    expect(arrived()).toBe(0);
    late.clock.advance(30_000);
    await expect.poll(arrived).toBeGreaterThan(0);
    expect(arrived()).toBeLessThan(20);
    late.clock.advance(30_000);
    await expect.poll(arrived).toBe(20);
    await late.stop();
  });
});

describe('managing', () => {
  it('shows a schedule with its defaults', async () => {
    const { Name, GroupName } = await create();
    const shown = await scheduler.send(new GetScheduleCommand({ Name, GroupName }));
    expect(shown).toMatchObject({
      Name,
      State: 'ENABLED',
      ScheduleExpressionTimezone: 'UTC',
      Target: { RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 } },
    });
    expect(shown.CreationDate).toBeInstanceOf(Date);
  });

  it('replaces the whole schedule with an update: omitted fields return to their defaults', async () => {
    const input = schedule({ Description: 'first' });
    await scheduler.send(new CreateScheduleCommand(input));
    const { Description: _, ActionAfterCompletion: __, ...rest } = input;
    await scheduler.send(new UpdateScheduleCommand(rest));
    const shown = await scheduler.send(
      new GetScheduleCommand({ Name: input.Name, GroupName: input.GroupName }),
    );
    expect(shown.Description).toBeUndefined();
    expect(shown.ActionAfterCompletion).toBe('NONE');
  });

  it('recognizes a repeated create by its client token, and refuses another one with the same name', async () => {
    const input = schedule({ ClientToken: 'token-1' });
    const first = await scheduler.send(new CreateScheduleCommand(input));
    expect(await scheduler.send(new CreateScheduleCommand(input))).toMatchObject({
      ScheduleArn: first.ScheduleArn,
    });
    const other = { ...input, ClientToken: 'token-2' };
    await expect(scheduler.send(new CreateScheduleCommand(other))).rejects.toMatchObject({
      name: 'ConflictException',
    });
  });

  it('lists by group and prefix, page by page', async () => {
    for (const Name of ['list-a', 'list-b', 'list-c']) await create({ Name });
    const page = { ScheduleGroup: 'posts', NamePrefix: 'list-', MaxResults: 2 };
    const first = await scheduler.send(new ListSchedulesCommand(page));
    const second = await scheduler.send(new ListSchedulesCommand({ ...page, NextToken: first.NextToken }));
    const names = [...(first.Schedules ?? []), ...(second.Schedules ?? [])].map(({ Name }) => Name);
    expect(names).toEqual(['list-a', 'list-b', 'list-c']);
    expect(second.NextToken).toBeUndefined();
  });

  it.each<[string, string, Partial<CreateScheduleCommandInput>]>([
    ['a name with a slash', 'ValidationException', { Name: 'a/b' }],
    ['a name of 65 characters', 'ValidationException', { Name: 'x'.repeat(65) }],
    ['a time with a zone', 'ValidationException', { ScheduleExpression: 'at(2030-01-01T00:00:00Z)' }],
    ['a time with a fraction', 'ValidationException', { ScheduleExpression: 'at(2030-01-01T00:00:00.5)' }],
    ['a day that does not exist', 'ValidationException', { ScheduleExpression: 'at(2030-02-30T00:00:00)' }],
    ['a past time', 'ValidationException', { ScheduleExpression: 'at(2020-01-01T00:00:00)' }],
    ['an unknown zone', 'ValidationException', { ScheduleExpressionTimezone: 'Mars/Olympus' }],
    [
      'a flexible window without a length',
      'ValidationException',
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } },
    ],
    ['an unknown group', 'ResourceNotFoundException', { GroupName: 'nobody' }],
    ['a role that does not trust it for this group', 'ValidationException', { GroupName: 'others' }],
  ])('refuses %s', async (_, name, overrides) => {
    await expect(create(overrides)).rejects.toMatchObject({ name });
  });

  it('answers 404 to an update or a delete of a missing schedule', async () => {
    const name = 'ResourceNotFoundException';
    await expect(scheduler.send(new UpdateScheduleCommand(schedule()))).rejects.toMatchObject({ name });
    await expect(
      scheduler.send(new DeleteScheduleCommand({ Name: 'none', GroupName: 'posts' })),
    ).rejects.toMatchObject({ name });
  });
});

describe('rights', () => {
  const mayCreate = { Effect: 'Allow', Action: 'scheduler:CreateSchedule', Resource: '*' } as const;
  const mayPass = (service: string) => ({
    Effect: 'Allow' as const,
    Action: 'iam:PassRole',
    Resource: roleArn,
    Condition: { StringEquals: { 'iam:PassedToService': service } },
  });

  it.each([
    ['without iam:PassRole', [mayCreate], 'iam:PassRole'],
    ['with iam:PassRole for another service', [mayCreate, mayPass('lambda.amazonaws.com')], 'iam:PassRole'],
    ['without scheduler:CreateSchedule', [mayPass('scheduler.amazonaws.com')], 'scheduler:CreateSchedule'],
  ])('refuse a caller %s', async (_, statements, action) => {
    cloud.grant('relay', ...statements);
    const client = new SchedulerClient(cloud.client('relay'));
    await expect(client.send(new CreateScheduleCommand(schedule()))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(`is not authorized to perform: ${action}`),
      $metadata: { httpStatusCode: 403 },
    });
  });

  it('allow a caller with both to create a schedule', async () => {
    cloud.grant('relay', mayCreate, mayPass('scheduler.amazonaws.com'));
    const client = new SchedulerClient(cloud.client('relay'));
    const { ScheduleArn } = await client.send(new CreateScheduleCommand(schedule()));
    expect(ScheduleArn).toContain(':schedule/posts/');
  });
});
