import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openTableAsAdministrator } from '../../../bin/dev/demo-workspaces.ts';
import { unsettledCall } from '../../../lib/at-most-once/call-records.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { ListedPostView, type PostView } from '../../../lib/posts/view/schemas.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import { waitInPlaceMs } from '../../../lib/publishing/time-limits.ts';
import { leaseMs } from '../../../lib/table/lease.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { type Client, clientOf, settled, until } from '../../journeys/support/client.ts';
import { advance, advanceTo, passing } from '../../journeys/support/clock.ts';
import { type PlatformControl, platformOf } from '../../journeys/support/platforms.ts';
import { kill, killAll } from '../../journeys/support/processes.ts';
import { openPublishQueue } from '../../journeys/support/publish-queue.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

const firstPosts = 30;
const kills = 50;

/** If this many consecutive looks find no process to kill, all work is done, and the test creates `furtherPosts` more. */
const maxIdleChecks = 5;
const furtherPosts = 10;

/** The pauses before kills, in rotation, so that they hit a worker at its start, in the middle and near its end. */
const pausesMs = [20, 60, 120, 200, 350];

/** A takeover reads and waits for little: this is for a slow machine. Still, it is less than another lease. */
const takeoverMs = 13_000;

/** The calls that make a post live. A kill right after one hits the worker before it has recorded the outcome. */
const lastCalls = new Set(['media_publish', 'videos.update']);

let cloud: TestCloud;
let client: Client;
let platforms: Record<'instagram' | 'youtube', PlatformControl>;

beforeAll(async () => {
  cloud = await startTestCloud();
  client = clientOf(cloud, cloud.demo);
  platforms = { instagram: platformOf(cloud, 'instagram'), youtube: platformOf(cloud, 'youtube') };
  await platforms.instagram.settings({ imageProcessingSeconds: 0 });
  await platforms.youtube.settings({ processingSeconds: 0 });
});
afterAll(() => cloud.stop());

async function schedule(posts: number, firstIndex = 0): Promise<PostView[]> {
  const [image, video] = await Promise.all([client.upload('image.jpg'), client.upload('two-seconds.mp4')]);
  const instagram = { accountId: client.accountId('instagram') };
  const youtube = {
    accountId: client.accountId('youtube'),
    customMedia: [{ type: 'video', url: video }],
  };
  return Promise.all(
    Array.from({ length: posts }, (_, offset) => firstIndex + offset).map((index) =>
      client.createPost({
        content: `post ${index}`,
        mediaItems: [{ type: 'image', url: image }],
        // Every third post goes to both platforms.
        platforms: index % 3 === 0 ? [instagram, youtube] : [instagram],
        publishNow: true,
      }),
    ),
  );
}

/** The targets of a post as they are stored. */
async function storedTargets(postId: string): Promise<readonly Target[]> {
  const found = await findPost(openTableAsAdministrator(cloud), client.workspace.id, postId);
  return found?.targets ?? [];
}

/** Returns true if the outcome of a last call is open, on the platform that may publish a container twice. */
async function isUnknownRightly(postId: string, platform: string): Promise<boolean> {
  const target = (await storedTargets(postId)).find((one) => one.platform === platform);
  return platform === 'instagram' && unsettledCall(target?.calls)?.outcome === 'unknown';
}

/** The number of each platform's latest request, and the count of last calls up to it. */
const counted = new Map<PlatformControl, { readonly number: number; readonly lastCalls: number }>();

const lastCallsSoFar = async () => {
  const counts = Object.values(platforms).map(async (platform) => {
    const before = counted.get(platform) ?? { number: 0, lastCalls: 0 };
    const requests = await platform.requests(before.number);
    const added = requests.filter(({ operation }) => lastCalls.has(operation)).length;
    const now = {
      number: requests.at(-1)?.number ?? before.number,
      lastCalls: before.lastCalls + added,
    };
    counted.set(platform, now);
    return now.lastCalls;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

/** Waits until a worker makes its last call, at most 400 ms: the time that a worker needs for one. */
async function untilNextLastCall(): Promise<void> {
  const before = await lastCallsSoFar();
  const end = performance.now() + 400;
  while (performance.now() < end && (await lastCallsSoFar()) === before);
}

describe('workers and relays that are killed while they work', () => {
  it('leave exactly one live post for each target, or, on Instagram only, an unknown outcome and no post', async () => {
    // Some calls get no response, so that kills hit workers that wait for one.
    await platforms.instagram.planFault('media_publish', 'timeout', 4);
    await platforms.youtube.planFault('videos.update', 'timeout', 2);
    const created = await schedule(firstPosts);

    let killed = 0;
    let idleChecks = 0;
    for (let turn = 0; killed < kills; turn += 1) {
      const isRelay = turn % 5 === 4;
      if (turn % 2 === 0) await untilNextLastCall();
      else await delay(pausesMs[turn % pausesMs.length]);
      if (kill(cloud, isRelay ? 'relay' : 'publish-target', turn)) {
        killed += 1;
        idleChecks = 0;
      } else {
        idleChecks += 1;
        if (idleChecks % maxIdleChecks === 0) created.push(...(await schedule(furtherPosts, created.length)));
      }
      // Lets leases expire, sweeps run and waits end, so that interrupted work starts again.
      await advance(cloud, 8);
    }

    const faults: string[] = [];
    /** Sum over all posts of the attempts at the target that workers took most often. */
    let takes = 0;
    let unknown = 0;
    for (const { id } of created) {
      const { content, platforms: targets } = await settled(client, id, {
        withinSeconds: 240,
        ...passing(cloud, 4),
      });
      for (const { platform, status, error, platformPostId } of targets) {
        const control = platform === 'instagram' ? platforms.instagram : platforms.youtube;
        const live = (await control.postsSaying(content)).map((post) => post.id);
        const isUnknown = error?.startsWith('outcome unknown') === true;
        if (isUnknown) unknown += 1;
        const isRight =
          status === 'published'
            ? live.length === 1 && live[0] === platformPostId
            : isUnknown && live.length === 0 && (await isUnknownRightly(id, platform));
        if (!isRight) faults.push(`${content} on ${platform}: ${status}, ${live.length} live (${error})`);
      }
      takes += Math.max(...(await storedTargets(id)).map(({ attempt }) => attempt));
    }
    expect(faults).toEqual([]);
    // A call without an effect is one of the four planned timeouts, or was killed between its intent and its request. How
    // many kills hit that moment depends on the machine, but most posts are live.
    expect(unknown).toBeLessThan(created.length / 2);
    // If few workers were interrupted, the test has shown nothing.
    expect(takes).toBeGreaterThan(1.5 * created.length);
    const list = async () => {
      const answer = await client.expectStatus(200, 'GET', `/v1/posts?limit=${created.length + 1}`);
      return z.object({ posts: z.array(ListedPostView) }).parse(answer.json()).posts;
    };
    expect(await list()).toHaveLength(created.length);
    // The relay brings a post's status to the list after its last destination has settled.
    const isSettled = ({ status }: ListedPostView) => ['published', 'partial', 'failed'].includes(status);
    await until(list, (posts) => posts.every(isSettled));
  }, 600_000);

  it('that waited for the due time are replaced, and the post is live within seconds of the takeover', async () => {
    const image = await client.upload('image.jpg');
    const queue = openPublishQueue(cloud);
    /** Kills the worker of a post while it waits for the due time. @returns the post; undefined if the due time came first */
    const killWaiting = async (content: string) => {
      // Workers that still wait for a response would leave no room for the next one.
      await killAll(cloud, 'publish-target');
      const dueMs = cloud.clock.now() + 60_000;
      const { id } = await client.createPost({
        content,
        mediaItems: [{ type: 'image', url: image }],
        platforms: [{ accountId: client.accountId('instagram') }],
        scheduledFor: new Date(dueMs).toISOString(),
      });
      const isPrepared = (events: readonly { readonly event: string }[]) =>
        events.some(({ event }) => event === 'prepared');
      await until(() => client.timeline(id), isPrepared);
      await advanceTo(cloud, dueMs - waitInPlaceMs);
      for (const target of await storedTargets(id)) await queue.send(JSON.stringify(messageOf(target)));
      await queue.hasWaitingWorker();
      const [waiting] = await storedTargets(id);
      await killAll(cloud, 'publish-target');
      const isKilledInTime = waiting?.status === 'scheduled' && cloud.clock.now() < dueMs;
      return isKilledInTime ? { id, content, dueMs } : undefined;
    };
    let post: Awaited<ReturnType<typeof killWaiting>>;
    // On a busy machine, the three seconds of the wait may be too short for the kill.
    for (let tries = 0; post === undefined; tries += 1) post = await killWaiting(`waiting, try ${tries}`);
    queue.close();

    // A worker that only waits holds no lease. The message that takes over comes when the lease that it would take ends.
    const leaseEndMs = post.dueMs + leaseMs;
    await advanceTo(cloud, leaseEndMs);
    await settled(client, post.id);
    const [live, ...others] = await platforms.instagram.postsSaying(post.content);
    expect(others).toEqual([]);
    expect(live?.publishedAt).toBeGreaterThanOrEqual(post.dueMs);
    expect(live?.publishedAt).toBeLessThan(leaseEndMs + takeoverMs);
  });
});
