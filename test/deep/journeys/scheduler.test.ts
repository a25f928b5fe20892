import { GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterAll, describe, expect, it } from 'vitest';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import { type Client, clientOf, parsePost, settled, targetOf, until } from '../../journeys/support/client.ts';
import { advanceTo } from '../../journeys/support/clock.ts';
import { type PlatformControl, platformOf } from '../../journeys/support/platforms.ts';
import { openPublishQueue, type PublishQueue } from '../../journeys/support/publish-queue.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

/**
 * Allowed delay of a post here, where processes share a busy machine. The tests of `lib/publishing` prove the due second, in
 * virtual time.
 */
const soonMs = 30_000;

const minuteMs = 60_000;
/** An image is prepared a minute ahead, and its schedule fires a minute and a half before that. */
const scheduleAheadMs = 2.5 * minuteMs;

let cloud: CloudVisit;
let client: Client;
let scheduler: SchedulerClient;
let queue: PublishQueue;
let instagram: PlatformControl;
let image: string;
let dueMs: number;
let laterMs: number;

/** Posts that are all due in ten minutes, in the same second. */
const posts: Record<'plain' | 'moved' | 'deleted' | 'disconnected', PostView | undefined> = {
  plain: undefined,
  moved: undefined,
  deleted: undefined,
  disconnected: undefined,
};
const post = (name: keyof typeof posts): PostView => {
  const found = posts[name];
  if (!found) throw new Error(`${name} was not created`);
  return found;
};

/** The messages of the posts' first wakes, as their schedules contained them, keyed by the post's id. */
const firstMessages = new Map<string, string>();

visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
  instagram = platformOf(cloud, 'instagram');
  const { awsEndpoint: endpoint, administrator: credentials } = cloud;
  const { region } = cloud.model;
  scheduler = new SchedulerClient({ region, endpoint, credentials });
  queue = openPublishQueue(cloud);
  image = await client.upload('image.jpg');
  dueMs = Math.ceil(cloud.clock.now() / 1_000) * 1_000 + 40 * minuteMs;
  laterMs = dueMs + 10 * minuteMs;
});
afterAll(() => {
  scheduler.destroy();
  queue.close();
});

const groupName = () => cloud.model.scheduleGroups[0]?.name;

async function schedulesOf(postId: string): Promise<string[]> {
  const { Schedules = [] } = await scheduler.send(
    new ListSchedulesCommand({ GroupName: groupName(), NamePrefix: postId.replaceAll('-', '') }),
  );
  return Schedules.flatMap(({ Name }) => Name ?? []);
}

async function hasSchedules(postId: string, count: number): Promise<string[]> {
  return until(
    () => schedulesOf(postId),
    (names) => names.length === count,
  );
}

async function readSchedule(name: string) {
  const { ScheduleExpression, Target } = await scheduler.send(
    new GetScheduleCommand({ GroupName: groupName(), Name: name }),
  );
  const request = JSON.parse(Target?.Input ?? '') as Record<string, string>;
  return { expression: ScheduleExpression, arn: Target?.Arn, request, message: request['MessageBody'] ?? '' };
}

const atExpression = (momentMs: number) => `at(${new Date(momentMs).toISOString().slice(0, 19)})`;

/** Moves the clock to the posts' preparation, which begins when their schedules fire, waits for it, and moves it to just before a moment. */
async function passTo(momentMs: number, waiting: readonly PostView[]): Promise<void> {
  await advanceTo(cloud, momentMs - scheduleAheadMs + 100);
  for (const { id } of waiting) await hasSchedules(id, 0);
  const due = new Date(momentMs).toISOString();
  for (const { id, platforms } of waiting) {
    await until(
      () => client.timeline(id),
      (timeline) => timeline.filter((entry) => entry.nextAt === due).length === platforms.length,
    );
  }
  // The wake of a video for YouTube waits in the queue of uploads.
  const targets = waiting
    .flatMap(({ platforms }) => platforms)
    .filter(({ platform }) => platform !== 'youtube');
  // Each target's wake has two messages: the second one is its check.
  await queue.rests(2 * targets.length);
  await advanceTo(cloud, momentMs - 2_000);
}

describe('a post that is due in forty minutes', () => {
  it('has one schedule, which sends to the publish queue ahead of the post’s time', async () => {
    for (const name of ['plain', 'moved', 'deleted', 'disconnected'] as const) {
      const youtube = { accountId: client.accountId('youtube'), customMedia: [] as unknown[] };
      if (name === 'disconnected') {
        youtube.customMedia = [{ type: 'video', url: await client.upload('two-seconds.mp4') }];
      }
      posts[name] = await client.createPost({
        content: `scheduled: ${name}`,
        mediaItems: [{ type: 'image', url: image }],
        platforms: [
          { accountId: client.accountId('instagram') },
          ...(name === 'disconnected' ? [youtube] : []),
        ],
        scheduledFor: new Date(dueMs).toISOString(),
      });
    }
    for (const name of ['plain', 'moved', 'deleted'] as const) {
      const { id } = post(name);
      const [schedule = ''] = await hasSchedules(id, 1);
      const { expression, arn, request, message } = await readSchedule(schedule);
      expect(expression).toBe(atExpression(dueMs - scheduleAheadMs));
      expect(arn).toBe('arn:aws:scheduler:::aws-sdk:sqs:sendMessage');
      expect(request['QueueUrl']).toMatch(/Publish/);
      expect(JSON.parse(message)).toMatchObject({
        workspaceId: request['MessageGroupId'],
        postId: id,
        accountId: client.accountId('instagram'),
      });
      firstMessages.set(id, message);
    }
    await hasSchedules(post('disconnected').id, 2);
  });

  it('gets a new schedule if it is rescheduled', async () => {
    const { id } = post('moved');
    const edited = parsePost(
      await client.expectStatus(200, 'PATCH', `/v1/posts/${id}`, {
        scheduledFor: new Date(laterMs).toISOString(),
      }),
    );
    expect(edited.scheduledFor).toBe(new Date(laterMs).toISOString());
    const names = await until(
      () => schedulesOf(id),
      (found) => found.length === 1 && found[0]?.endsWith('-2') === true,
    );
    expect((await readSchedule(names[0] ?? '')).expression).toBe(atExpression(laterMs - scheduleAheadMs));
  });

  it('has no schedule if it is deleted', async () => {
    const { id } = post('deleted');
    await client.expectStatus(200, 'DELETE', `/v1/posts/${id}`);
    await hasSchedules(id, 0);
    await client.expectStatus(404, 'GET', `/v1/posts/${id}`);
  });

  it('is counted in the response if its account is disconnected', async () => {
    const answer = await client.expectStatus(200, 'DELETE', `/v1/accounts/${client.accountId('youtube')}`);
    expect(answer.json()).toEqual({ ok: true, scheduledTargets: 1, waitingChainSteps: 0 });
    await client.expectStatus(404, 'GET', `/v1/accounts/${client.accountId('youtube')}`);
  });

  it('is published soon after it is due, never before, and the schedule is gone', async () => {
    await passTo(dueMs, [post('plain'), post('disconnected')]);
    expect((await client.readPost(post('plain').id)).status).toBe('scheduled');
    const { status } = await settled(client, post('plain').id);
    expect(status).toBe('published');
    const [live, ...others] = await instagram.postsSaying('scheduled: plain');
    expect(others).toEqual([]);
    expect((live?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0);
    expect((live?.publishedAt ?? 0) - dueMs).toBeLessThan(soonMs);
  });

  it('fails on an account that is still disconnected, and is published to the other account', async () => {
    const failed = await settled(client, post('disconnected').id);
    expect(failed.status).toBe('partial');
    expect(targetOf(failed, 'youtube')).toMatchObject({
      status: 'failed',
      error: 'the account is disconnected: connect it again',
      platformPostId: null,
    });
    expect(targetOf(failed, 'instagram').status).toBe('published');
    expect(await instagram.postsSaying('scheduled: disconnected')).toHaveLength(1);
    expect(await platformOf(cloud, 'youtube').postsSaying('scheduled: disconnected')).toEqual([]);
  });

  it('is not published by an old message if it was rescheduled or deleted', async () => {
    for (const name of ['moved', 'deleted'] as const) {
      await queue.send(firstMessages.get(post(name).id) ?? '');
    }
    await queue.rests(0);
    expect((await client.readPost(post('moved').id)).status).toBe('scheduled');
    expect(await instagram.postsSaying('scheduled: moved')).toEqual([]);
  });

  it('is published once, at its new time, if it was rescheduled', async () => {
    await passTo(laterMs, [post('moved')]);
    const { status } = await settled(client, post('moved').id);
    expect(status).toBe('published');
    const [live, ...others] = await instagram.postsSaying('scheduled: moved');
    expect(others).toEqual([]);
    expect((live?.publishedAt ?? 0) - laterMs).toBeGreaterThanOrEqual(0);
    expect((live?.publishedAt ?? 0) - laterMs).toBeLessThan(soonMs);
    expect(await instagram.postsSaying('scheduled: deleted')).toEqual([]);
  });
});
