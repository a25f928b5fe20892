import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PostView } from '../../lib/posts/schemas.ts';
import { startTestCloud, type TestCloud } from '../support/local-cloud.ts';
import { type Client, clientOf, parsePost, readFixture, settled, targetOf, until } from './support/client.ts';
import { platformOf } from './support/platforms.ts';

let cloud: TestCloud;
let client: Client;
beforeAll(async () => {
  cloud = await startTestCloud();
  client = clientOf(cloud, cloud.demo);
});
afterAll(() => cloud.stop());

describe('the quick start', () => {
  const content = 'Hello from Herald';
  let dueMs = 0;
  let body: Record<string, unknown>;
  let created: PostView;
  let published: PostView;

  it('uploads a video and an image, and schedules them some seconds ahead', async () => {
    const [video, image] = await Promise.all([client.upload('video.mp4'), client.upload('image.jpg')]);
    dueMs = Date.now() + 9_000;
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

  it('creates nothing when the request is sent again', async () => {
    const replay = await client.expectStatus(200, 'POST', '/v1/posts', body);
    expect(parsePost(replay).id).toBe(created.id);
    expect(replay.json()).toMatchObject({ existingPost: { _id: created.id }, post: { _id: created.id } });
    const list = await client.expectStatus(200, 'GET', '/v1/posts');
    expect(list.json()).toMatchObject({ posts: [{ id: created.id }], nextCursor: null });
  });

  it('publishes to both platforms, on the second and never before it', async () => {
    expect(await settled(client, created.id, { withinSeconds: 30 })).toMatchObject({ status: 'published' });
    // Addresses may be read a moment after a post is live.
    published = await until(
      () => client.readPost(created.id),
      ({ platforms }) => platforms.every(({ permalink }) => permalink !== null),
    );
    for (const platform of ['instagram', 'youtube']) {
      const [live, ...others] = await platformOf(cloud, platform).posts();
      expect(others).toEqual([]);
      const target = targetOf(published, platform);
      expect(target).toMatchObject({ platformPostId: live?.id, permalink: live?.permalink, error: null });
      const latenessMs = (live?.publishedAt ?? 0) - dueMs;
      expect(latenessMs).toBeGreaterThanOrEqual(0);
      expect(latenessMs).toBeLessThan(3_000);
      expect(Date.parse(target.publishedAt ?? '')).toBeGreaterThanOrEqual(dueMs);
    }
  });

  it('puts the very bytes live that were uploaded', async () => {
    for (const [platform, fixture] of [
      ['instagram', 'image.jpg'],
      ['youtube', 'video.mp4'],
    ] as const) {
      const { bytes, contentType, sha256 } = readFixture(fixture);
      const [live] = await platformOf(cloud, platform).postsSaying(content);
      expect(live?.media).toEqual([{ type: contentType, bytes: bytes.length, sha256 }]);
    }
  });

  it('tells step by step what was done, without a token', async () => {
    const timeline = await client.timeline(created.id);
    for (const platform of ['instagram', 'youtube']) {
      const events = timeline.filter((entry) => entry.platform === platform).map(({ event }) => event);
      expect(events).toEqual(expect.arrayContaining(['prepared', 'going live', 'published']));
    }
    expect(timeline[0]).toMatchObject({ event: 'created', at: created.createdAt });
    const calls = timeline.flatMap((entry) => entry.calls.map(({ call }) => call));
    expect(calls.some((call) => call.endsWith('/media_publish'))).toBe(true);
    expect(JSON.stringify(timeline)).not.toMatch(/access_token|ya29|IGAA|EAA|Bearer|upload_id|\?/);
  });

  it('leaves nothing in the logs that a person should look into', async () => {
    expect(cloud.logged).toEqual([]);
    expect(cloud.functionLines.filter((line) => /"level":"(ERROR|WARN)"/.test(line))).toEqual([]);
  });
});
