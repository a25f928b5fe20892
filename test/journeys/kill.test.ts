import { beforeEach, describe, expect, it } from 'vitest';
import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { unsettledCall } from '../../lib/at-most-once/call-records.ts';
import { findPost } from '../../lib/posts/stored/store.ts';
import type { PostView } from '../../lib/posts/view/schemas.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { type Client, clientOf, settled, targetOf, until } from './support/client.ts';
import { passing } from './support/clock.ts';
import { type LivePost, platformOf } from './support/platforms.ts';
import { killAll, killAtWork } from './support/processes.ts';

let cloud: CloudVisit;
let client: Client;
visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
  await platformOf(cloud, 'instagram').settings({ imageProcessingSeconds: 0 });
  await platformOf(cloud, 'youtube').settings({ processingSeconds: 0 });
});

type KilledPlatform = 'instagram' | 'youtube';

const fixtures = {
  instagram: { type: 'image', file: 'image.jpg' },
  youtube: { type: 'video', file: 'two-seconds.mp4' },
} as const;

async function publish(platform: KilledPlatform, content: string): Promise<PostView> {
  const { type, file } = fixtures[platform];
  return client.createPost({
    content,
    mediaItems: [{ type, url: await client.upload(file) }],
    platforms: [{ accountId: client.accountId(platform) }],
    publishNow: true,
  });
}

/** Lets the clock pass until another worker has finished the post. @returns the post and its copies on the platform */
async function finished(
  platform: KilledPlatform,
  { id, content }: PostView,
): Promise<{ readonly post: PostView; readonly live: readonly LivePost[] }> {
  const post = await settled(client, id, passing(cloud, 4, Infinity));
  return { post, live: await platformOf(cloud, platform).postsSaying(content) };
}

/** The journey with 50 kills at random moments is in the deep run. */
describe('a worker that is killed', () => {
  let before: Readonly<Record<KilledPlatform, number>>;
  beforeEach(async () => {
    const newest = async (platform: KilledPlatform) =>
      (await platformOf(cloud, platform).requests()).at(-1)?.number ?? 0;
    before = { instagram: await newest('instagram'), youtube: await newest('youtube') };
  });

  /** Publishes a post, and kills its worker once it waits for the response to a call that the platform leaves unanswered. */
  async function killDuring(
    platform: KilledPlatform,
    call: string,
    fault: 'timeout' | 'timeout-after',
  ): Promise<PostView> {
    const simulator = platformOf(cloud, platform);
    await simulator.planFault(call, fault);
    const post = await publish(platform, `${fault} of ${call}`);
    await until(
      () => simulator.requests(before[platform]),
      (requests) => requests.some((request) => request.fault?.startsWith(fault)),
    );
    await killAll(cloud, 'publish-target');
    await killAll(cloud, 'upload-target');
    return post;
  }

  it.each<[KilledPlatform, string]>([
    ['instagram', 'media'],
    ['instagram', 'media_publish'],
    ['youtube', 'videos.insert.chunk'],
    ['youtube', 'videos.update'],
  ])('after %s has carried out %s is replaced, and the post is live once', async (platform, call) => {
    const killed = await killDuring(platform, call, 'timeout-after');
    const { post, live } = await finished(platform, killed);
    expect(live).toHaveLength(1);
    expect(targetOf(post, platform)).toMatchObject({ status: 'published', platformPostId: live[0]?.id });
  });

  it('before YouTube has received the file is replaced, and the post is live once', async () => {
    const killed = await killDuring('youtube', 'videos.insert.chunk', 'timeout');
    const { post, live } = await finished('youtube', killed);
    expect(live).toHaveLength(1);
    expect(targetOf(post, 'youtube')).toMatchObject({ status: 'published', platformPostId: live[0]?.id });
  });

  it('before Instagram has published leaves an unknown outcome, until a person has looked: a second call could publish twice', async () => {
    const killed = await killDuring('instagram', 'media_publish', 'timeout');
    const { post, live } = await finished('instagram', killed);
    expect(live).toEqual([]);
    expect(targetOf(post, 'instagram')).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^outcome unknown/),
    });
    const stored = await findPost(openTableAsAdministrator(cloud), client.workspace.id, post.id);
    expect(unsettledCall(stored?.targets[0]?.calls)?.outcome).toBe('unknown');
    const { accountId } = targetOf(post, 'instagram');
    const verdict = { outcome: 'not live' };
    await client.expectStatus(200, 'POST', `/v1/posts/${post.id}/targets/${accountId}/resolve`, verdict);
    await client.expectStatus(200, 'POST', `/v1/posts/${post.id}/retry`);
    expect(await finished('instagram', post)).toMatchObject({
      post: { status: 'published' },
      live: { length: 1 },
    });
  });
});

it('a relay that is killed at work is replaced, and the post is live once', async () => {
  const created = publish('instagram', 'relayed');
  await killAtWork(cloud, 'relay');
  const { post, live } = await finished('instagram', await created);
  expect(live).toHaveLength(1);
  expect(post.status).toBe('published');
});
