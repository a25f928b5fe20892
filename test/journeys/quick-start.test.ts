import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { hourMs } from '../../lib/kernel/clock.ts';
import { ListedPostView, type PostView } from '../../lib/posts/view/schemas.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { writeDevFile } from './support/admin.ts';
import { type Client, clientOf, parsePost, readFixture, settled, targetOf, until } from './support/client.ts';
import { passing } from './support/clock.ts';
import { platformOf } from './support/platforms.ts';
import { runInShell, sectionsOf } from './support/shell.ts';

let cloud: CloudVisit;
let client: Client;
let commands: ReturnType<typeof runCommands>;

visitSharedCloud((visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.other);
  commands = runCommands(aheadMs / 1_000);
});

/** Long enough to prepare the posts on a slow machine, and less than the minute ahead at which preparation begins. */
const aheadMs = 50_000;

/** Runs the README's commands in a shell, as a user would paste them. @param aheadSeconds how far ahead the post is scheduled */
async function runCommands(aheadSeconds: number): Promise<{ stdout: string; stderr: string }> {
  const { commands } = sectionsOf('README.md').find(({ title }) => title === 'Quick start') ?? {
    commands: '',
  };
  const patient = commands.replace('--in 30s', `--in ${aheadSeconds}s`);
  writeDevFile(cloud.dataDirectory, cloud);
  return runInShell(patient, { dataDirectory: cloud.dataDirectory });
}

/** Waits until nothing is left to do for both destinations of the only post in a workspace before its due time. */
async function untilPrepared(reader: Client): Promise<void> {
  const [post] = await until(
    () => listPosts(reader),
    (posts) => posts.length === 1,
  );
  const waitingPlatforms = async () => {
    const timeline = await reader.timeline(post?.id ?? '');
    const waiting = timeline.filter(({ event, nextAt }) => {
      // Instagram's next status check of a reel is at the due time, if that is near.
      return event === 'prepared' || (event === 'preparing' && nextAt === post?.scheduledFor);
    });
    return new Set(waiting.map(({ platform }) => platform));
  };
  await until(waitingPlatforms, (platforms) => platforms.size === 2);
}

async function listPosts(reader: Client): Promise<ListedPostView[]> {
  const list = await reader.expectStatus(200, 'GET', '/v1/posts');
  return z.object({ posts: z.array(ListedPostView) }).parse(list.json()).posts;
}

describe('the quick start, typed out', () => {
  const content = 'Typed out';
  let dueMs = 0;
  let body: Record<string, unknown>;
  let created: PostView;
  let published: PostView;

  it('uploads a video and an image, and schedules them less than a minute ahead', async () => {
    const [video, image] = await Promise.all([client.upload('video.mp4'), client.upload('image.jpg')]);
    dueMs = cloud.clock.now() + aheadMs;
    body = {
      content,
      mediaItems: [{ type: 'video', url: video }],
      platforms: [
        {
          accountId: client.accountId('instagram'),
          customMedia: [{ type: 'image', url: image }],
          platformSpecificData: { firstComment: 'The first to say so' },
        },
        {
          accountId: client.accountId('youtube'),
          platformSpecificData: { title: 'Hello', privacy: 'public', tags: ['herald'] },
        },
      ],
      scheduledFor: new Date(dueMs).toISOString(),
      idempotencyKey: 'quick-start-1',
    };
    created = await client.createPost(body);
    expect(created).toMatchObject({
      content,
      status: 'scheduled',
      scheduledFor: new Date(dueMs).toISOString(),
      timezone: 'UTC',
      platforms: [
        { platform: 'instagram', status: 'scheduled', platformPostId: null, permalink: null, error: null },
        { platform: 'youtube', status: 'scheduled', platformPostId: null, permalink: null, error: null },
      ],
    });
    expect(created._id).toBe(created.id);
  });

  it('creates nothing if the request is repeated', async () => {
    const replay = await client.expectStatus(200, 'POST', '/v1/posts', body);
    expect(parsePost(replay).id).toBe(created.id);
    expect(replay.json()).toMatchObject({ existingPost: { _id: created.id }, post: { _id: created.id } });
    // A list may lag behind.
    const list = await until(
      () => client.expectStatus(200, 'GET', '/v1/posts'),
      (reply) => JSON.stringify(reply.json()).includes(created.id),
    );
    expect(list.json()).toMatchObject({ posts: [{ id: created.id }], nextCursor: null });
  });

  it('prepares each destination before the due time, as it does for the commands of the README', async () => {
    await Promise.all([untilPrepared(client), untilPrepared(clientOf(cloud, cloud.demo))]);
  });

  it('publishes to both platforms at the due time and never earlier', async () => {
    expect(await settled(client, created.id, passing(cloud, 1, Infinity))).toMatchObject({
      status: 'published',
    });
    // The permalink may be available only a moment after a post is live.
    published = await until(
      () => client.readPost(created.id),
      ({ platforms }) => platforms.every(({ permalink }) => permalink !== null),
    );
    for (const platform of ['instagram', 'youtube']) {
      const [live, ...others] = await platformOf(cloud, platform).postsSaying(content);
      expect(others).toEqual([]);
      const target = targetOf(published, platform);
      expect(target).toMatchObject({ platformPostId: live?.id, permalink: live?.permalink, error: null });
      // The journey of the scheduler and the bench measure how late.
      expect(live?.publishedAt).toBeGreaterThanOrEqual(dueMs);
      expect(Date.parse(target.publishedAt ?? '')).toBeGreaterThanOrEqual(dueMs);
    }
  });

  it('publishes exactly the uploaded bytes', async () => {
    for (const [platform, fixture] of [
      ['instagram', 'image.jpg'],
      ['youtube', 'video.mp4'],
    ] as const) {
      const { bytes, contentType, sha256 } = readFixture(fixture);
      const [live] = await platformOf(cloud, platform).postsSaying(content);
      expect(live?.media).toEqual([{ type: contentType, bytes: bytes.length, sha256 }]);
    }
  });

  it('lists each step in the timeline, without tokens', async () => {
    const timeline = await client.timeline(created.id);
    // The first look at a video after its due time finds it processed, and makes it public.
    for (const [platform, first] of Object.entries({ instagram: 'prepared', youtube: 'preparing' })) {
      const events = timeline.filter((entry) => entry.platform === platform).map(({ event }) => event);
      expect(events).toEqual(expect.arrayContaining([first, 'going live', 'published']));
    }
    expect(timeline[0]).toMatchObject({ event: 'created', at: created.createdAt });
    // Nothing was tried twice, although several workers have taken each destination.
    expect(new Set(timeline.map(({ attempt }) => attempt))).toEqual(new Set([null, 1]));
    const calls = timeline.flatMap((entry) => entry.calls.map(({ call }) => call));
    expect(calls.some((call) => call.endsWith('/media_publish'))).toBe(true);
    expect(JSON.stringify(timeline)).not.toMatch(/access_token|ya29|IGAA|EAA|Bearer|upload_id|\?/);
  });
});

/** Each is over several lines, of which only the first and the last are not indented. */
const printedJson = (stdout: string): string[] => stdout.split(/^(?=[{[])/m);

describe('the quick start of the README', () => {
  it('works if its commands are pasted', async () => {
    const { stdout, stderr } = await commands;
    expect(stderr).toBe('');
    const [accounts = '', post = '', timeline = '', requests = ''] = printedJson(stdout);
    expect(JSON.parse(accounts)).toMatchObject({ accounts: cloud.demo.accounts });
    expect(JSON.parse(post)).toMatchObject({
      post: { status: 'published', platforms: [{ error: null }, { error: null }] },
    });
    expect(JSON.parse(timeline).timeline.length).toBeGreaterThan(5);
    expect(JSON.parse(requests)).toContainEqual(
      expect.objectContaining({
        operation: 'videos.insert',
        body: { text: expect.stringContaining('Hello') },
      }),
    );
  });

  it('leaves no warnings and no errors in the logs', async () => {
    expect(cloud.logged).toEqual([]);
    expect(cloud.functionLines.filter((line) => /"level":"(ERROR|WARN)"/.test(line))).toEqual([]);
  });

  it('can be repeated, also after the clock was moved', async () => {
    // Last, because calls that are under way then may seem to have taken an hour.
    cloud.clock.advance(hourMs);
    const idOf = (stdout: string) => JSON.parse(printedJson(stdout)[1] ?? '').post.id;
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    const running = runCommands(aheadMs / 1_000);
    running.then(end, end);
    await until(
      () => listPosts(clientOf(cloud, cloud.demo)),
      (posts) => posts.length === 2 || isOver,
    );
    await until(() => isOver, Boolean, passing(cloud, 2, Infinity));
    const { stdout, stderr } = await running;
    expect(stderr).toBe('');
    expect(idOf(stdout)).not.toBe(idOf((await commands).stdout));
  });
});
