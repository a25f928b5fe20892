import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { UploadGrant } from '../../../lib/media/operations.ts';
import { largestVideoBytes } from '../../../lib/media/types.ts';
import { smallJpeg } from '../../support/small-jpeg.ts';
import { readFixture, settled } from '../support/client.ts';
import { type Rows, unknownId } from './rows.ts';

const mediaIdOf = (publicUrl: string) => {
  const ids = publicUrl.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g);
  // The first id is the workspace's.
  return ids?.at(-1) ?? '';
};

export const postRows: Rows = {
  presignMedia: async (ask, fixture) => {
    const apiKey = fixture.cloud.other.apiKey;
    const body = { filename: 'film.mp4', contentType: 'video/mp4', size: largestVideoBytes };
    await ask(200, { body: { filename: 'image.jpg' }, apiKey });
    for (let gibibytes = 0; gibibytes < 10; gibibytes += 1) await ask(200, { body, apiKey });
    await ask(413, { body, apiKey });
    await ask(400, { body: { filename: '' }, apiKey });
  },
  listMediaParts: async (ask, fixture) => {
    await ask(200, { path: { id: await fixture.client.beginInParts('film.mp4', 1_000) } });
    await ask(409, { path: { id: mediaIdOf(fixture.things.imageUrl) } });
  },
  completeMedia: async (ask, fixture) => {
    const id = await fixture.client.beginInParts('image.jpg', readFixture('image.jpg').bytes.length);
    await ask(409, { path: { id } });
    await fixture.client.sendParts(id, new Uint8Array(readFixture('image.jpg').bytes));
    await ask(200, { path: { id } });
    await ask(200, { path: { id } });
  },
  listMediaPosts: (ask, fixture) => ask(200, { path: { id: mediaIdOf(fixture.things.imageUrl) } }),
  listMedia: async (ask) => {
    await ask(200);
    await ask(200, { query: 'search=image&kind=image' });
    await ask(200, { query: 'limit=1&status=ready' });
    await ask(400, { query: 'status=lost' });
  },
  getMedia: (ask, fixture) => ask(200, { path: { id: mediaIdOf(fixture.things.imageUrl) } }),
  deleteMedia: async (ask, fixture) => {
    await fixture.makeScheduled();
    await ask(409, { path: { id: mediaIdOf(fixture.things.imageUrl) } });
    await ask(200, { path: { id: mediaIdOf(await fixture.client.upload('image.jpg')) } });
  },
  storeMediaPreview: async (ask, fixture) => {
    const path = { id: mediaIdOf(await fixture.client.upload('moov-last.mp4')) };
    await ask(200, { path, body: { data: smallJpeg } });
    await ask(404, { path: { id: unknownId }, body: { data: smallJpeg } });
    await ask(400, { path, body: { data: 'no picture' } });
    const grant = await fixture.client.expectStatus(200, 'POST', '/v1/media/presign', { filename: 'a.mp4' });
    await ask(409, { path: { id: UploadGrant.parse(grant.json()).mediaId }, body: { data: smallJpeg } });
  },
  importMedia: async (ask) => {
    await ask(202, { body: { url: 'https://files.example.com/harbour.jpg', filename: 'harbour.jpg' } });
    await ask(400, { body: { url: 'https://192.168.0.1/harbour.jpg' } });
  },
  createPost: async (ask, fixture) => {
    const { accountId, imageUrl } = fixture.things;
    const youtube = fixture.client.accountId('youtube');
    const idempotencyKey = randomUUID();
    const body = {
      content: 'planned',
      mediaItems: [{ type: 'image', url: imageUrl, filename: 'a.jpg', mimeType: 'image/jpeg', sizeBytes: 1 }],
      platforms: [
        {
          accountId,
          platform: 'instagram',
          platformSpecificData: { firstComment: 'First!', shareToFeed: true },
          customContent: 'here alone',
        },
      ],
      scheduledFor: fixture.later(),
      timezone: 'Europe/Istanbul',
      idempotencyKey,
      chain: [
        {
          kind: 'followUp',
          accountIds: [accountId],
          afterMinutes: 1440,
          content: 'more',
          mediaItems: [{ type: 'image', url: imageUrl }],
        },
        { kind: 'crossPost', accountIds: [fixture.client.accountId('facebook')], options: {} },
      ],
    };
    await ask(201, { body });
    await ask(200, { body });
    await ask(201, { body: { content: 'draft', platforms: [], isDraft: true } });
    const labels = { metadata: { campaign: 'spring' }, externalId: randomUUID(), externalIdUnique: true };
    const labelled = {
      content: 'labelled',
      platforms: [],
      isDraft: true,
      mediaItems: [{ url: imageUrl }],
      ...labels,
    };
    await ask(201, { body: labelled });
    await ask(409, { body: labelled });
    await ask(201, {
      body: {
        platforms: [{ accountId }],
        mediaItems: [{ type: 'image', url: imageUrl }],
        scheduledFor: 'auto',
      },
    });
    await ask(400, {
      body: { platforms: [{ accountId: unknownId }], content: 'x', scheduledFor: fixture.later() },
    });
    await ask(400, {
      body: { platforms: [{ accountId: youtube }], content: 'x', scheduledFor: fixture.later() },
    });
    await ask(400, { body: { platforms: 'all' } });
    await ask(400, { rawBody: '{' });
    await ask(413, { rawBody: ' '.repeat(11 * 1024 * 1024) });
    await ask(413, { rawBody: ' '.repeat(7 * 1024 * 1024) });
    await ask(431, { body: {}, headers: { 'x-long': 'x'.repeat(10_300) } });
  },
  createPosts: async (ask, fixture) => {
    const { accountId, imageUrl } = fixture.things;
    const post = {
      content: 'planned in bulk',
      mediaItems: [{ type: 'image', url: imageUrl }],
      platforms: [{ accountId, platformSpecificData: { firstComment: 'First!' } }],
      scheduledFor: fixture.later(),
      idempotencyKey: randomUUID(),
    };
    const posts = [
      post,
      { ...post, idempotencyKey: undefined, scheduledFor: 'auto' },
      { ...post, idempotencyKey: undefined, mediaItems: [] },
      { content: 1 },
      'no post',
    ];
    const statusesOf = (reply: Awaited<ReturnType<typeof ask>>) =>
      (reply.json() as unknown as { results: { status: string }[] }).results.map(({ status }) => status);
    const wrong = ['invalid', 'invalid', 'invalid'];
    // The malformed posts do not match the document, so the body is sent without a comparison.
    const send = async (changes: object) =>
      statusesOf(await ask(200, { rawBody: JSON.stringify({ posts, ...changes }) }));
    expect(await send({ dryRun: true })).toEqual(['valid', 'valid', ...wrong]);
    expect(await send({})).toEqual(['created', 'created', ...wrong]);
    expect(await send({})).toEqual(['replayed', 'created', ...wrong]);
    const draft = { content: 'draft', platforms: [], isDraft: true };
    const headers = { 'idempotency-key': randomUUID() };
    for (const status of ['created', 'replayed'])
      expect(statusesOf(await ask(200, { body: { posts: [draft, post] }, headers }))).toEqual([
        status,
        'replayed',
      ]);
    await ask(400, { body: { posts: [] } });
    await ask(400, { body: { posts: Array(101).fill(post) } });
    await ask(413, { rawBody: ' '.repeat(7 * 1024 * 1024) });
  },
  duplicatePost: async (ask, fixture) => {
    const path = { id: fixture.things.liveId };
    const body = { scheduledFor: fixture.later(), idempotencyKey: randomUUID() };
    await ask(201, { path });
    await ask(201, { path, body });
    await ask(200, { path, body });
    await ask(200, { path, body: { ...body, dryRun: true } });
    await ask(400, { path, body: { accountIds: [unknownId] } });
    await ask(400, { path, body: { ...body, mediaUrls: ['x'], idempotencyKey: randomUUID() } });
    await ask(404, { path: { id: unknownId } });
  },
  validatePost: async (ask, fixture) => {
    const platforms = [{ accountId: fixture.things.accountId }];
    await ask(200, { body: { platforms, content: 'no media' } });
    await ask(200, {
      body: { platforms: [{ accountId: fixture.client.accountId('threads') }], content: 'fine' },
    });
    await ask(400, { body: [] });
  },
  listPosts: async (ask, fixture) => {
    const first = await ask(200, { query: 'limit=1' });
    const { nextCursor } = first.json() as Record<string, string>;
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    await ask(200, { query: 'limit=500&status=published' });
    await ask(200, { query: `accountId=${fixture.things.accountId}` });
    await ask(200, {
      query: `accountId=${fixture.things.accountId},${unknownId}&platform=instagram,threads`,
    });
    await ask(200, { query: 'accountExternalId=unknown' });
    await ask(200, { query: 'search=hello%20wor' });
    await ask(200, { query: 'search=he' });
    await ask(200, { query: 'externalId=unknown' });
    await ask(200, { query: 'status=failed,partial&platform=instagram&attention=true' });
    const from = fixture.later().slice(0, 10);
    await ask(200, { query: `from=${from}&accountId=${fixture.things.accountId}&sort=scheduledFor` });
    await ask(200, { query: 'to=2026-03-01T00:00:00%2B03:00' });
    await ask(400, { query: 'from=2026-03-01&to=2026-05-03' });
    await ask(400, { query: 'from=2026-03-01&sort=createdAt' });
    await ask(400, { query: 'search=!' });
    await ask(400, { query: 'limit=501' });
    await ask(400, { query: 'cursor=forged' });
  },
  getPost: async (ask, fixture) => {
    for (const id of [
      fixture.things.liveId,
      fixture.things.failedId,
      await fixture.makeDraft(),
      await fixture.makeScheduled(),
    ]) {
      await ask(200, { path: { id } });
    }
  },
  updatePost: async (ask, fixture) => {
    const path = { id: await fixture.makeDraft() };
    const body = {
      content: 'changed',
      scheduledFor: null,
      timezone: 'Asia/Tokyo',
      coverUrl: null,
      chain: [],
      metadata: { campaign: 'autumn' },
      externalId: null,
    };
    await ask(200, { path, body: { ...body, dryRun: true } });
    await ask(200, { path, body });
    await ask(400, { path, body: { content: 1 } });
    await ask(409, { path: { id: fixture.things.liveId }, body });
  },
  deletePost: async (ask, fixture) => {
    await ask(200, { path: { id: await fixture.makeDraft() } });
    await ask(409, { path: { id: fixture.things.liveId } });
  },
  retryPost: async (ask, fixture) => {
    await ask(409, { path: { id: fixture.things.liveId } });
    await ask(400, { path: { id: fixture.things.failedId }, body: { dryrun: true } });
    await ask(200, { path: { id: fixture.things.failedId }, body: { dryRun: true } });
    await ask(200, { path: { id: fixture.things.failedId } });
    await settled(fixture.client, fixture.things.failedId);
  },
  unpublishPost: async (ask, fixture) => {
    const { liveId, failedId, accountId } = fixture.things;
    const { id } = await fixture.client.createPost({
      content: 'live for a moment',
      platforms: [{ accountId: fixture.client.accountId('facebook') }],
      publishNow: true,
    });
    await settled(fixture.client, id);
    await ask(202, { path: { id } });
    await ask(409, { path: { id: failedId } });
    await ask(409, { path: { id: liveId }, body: { accountIds: [accountId] } });
    await ask(400, { path: { id: liveId }, body: { accountIds: [unknownId] } });
  },
  resolveTarget: async (ask, fixture) => {
    const { accountId, doubtfulId } = fixture.things;
    const path = { id: doubtfulId, accountId };
    await ask(400, { path, body: { outcome: 'live' } });
    await ask(409, { path: { ...path, id: fixture.things.liveId }, body: { outcome: 'not live' } });
    await ask(200, { path, body: { outcome: 'live', permalink: 'https://platform.example/p/1' } });
  },
  getPostMetrics: async (ask, fixture) => {
    const path = { id: fixture.things.liveId };
    await ask(200, { path });
    await ask(200, { path, query: 'fresh=true' });
    await ask(400, { path, query: 'fresh=maybe' });
    await ask(404, { path: { id: unknownId } });
  },
  listMetrics: async (ask) => {
    await ask(200, { query: 'limit=1&platform=instagram' });
    await ask(200, { query: 'format=csv' });
    await ask(400, { query: 'from=2026-01-01&to=2026-12-31' });
  },
  listBestPosts: async (ask) => {
    await ask(200, { query: 'platform=instagram' });
    await ask(400, { query: 'month=2026-13' });
  },
  getPostTimeline: async (ask, fixture) => {
    await ask(200, { path: { id: fixture.things.liveId } });
    await ask(200, { path: { id: fixture.things.failedId } });
  },
};
