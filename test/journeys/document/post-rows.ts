import { randomUUID } from 'node:crypto';
import { largestVideoBytes } from '../../../lib/media/types.ts';
import { settled } from '../support/client.ts';
import { nobody, type Rows } from './rows.ts';

const mediaIdOf = (publicUrl: string) => {
  const ids = publicUrl.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g);
  // The workspace's comes first.
  return ids?.at(-1) ?? '';
};

export const postRows: Rows = {
  'media-presign': async (ask, desk) => {
    const apiKey = desk.cloud.other.apiKey;
    const body = { filename: 'film.mp4', contentType: 'video/mp4', size: largestVideoBytes };
    await ask(200, { body: { filename: 'image.jpg' }, apiKey });
    for (let gibibytes = 0; gibibytes < 10; gibibytes += 1) await ask(200, { body, apiKey });
    await ask(413, { body, apiKey });
    await ask(400, { body: { filename: '' }, apiKey });
  },
  'media-list': async (ask) => {
    await ask(200);
    await ask(200, { query: 'limit=1&status=ready' });
    await ask(400, { query: 'status=lost' });
  },
  'media-read': (ask, desk) => ask(200, { path: { id: mediaIdOf(desk.things.imageUrl) } }),
  'media-delete': async (ask, desk) => {
    await desk.makeScheduled();
    await ask(409, { path: { id: mediaIdOf(desk.things.imageUrl) } });
    await ask(200, { path: { id: mediaIdOf(await desk.client.upload('image.jpg')) } });
  },
  'posts-create': async (ask, desk) => {
    const { accountId, imageUrl } = desk.things;
    const youtube = desk.client.accountId('youtube');
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
      scheduledFor: desk.later(),
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
        { kind: 'crossPost', accountIds: [desk.client.accountId('facebook')], options: {} },
      ],
    };
    await ask(201, { body });
    await ask(200, { body });
    await ask(201, { body: { content: 'draft', platforms: [], isDraft: true } });
    await ask(201, {
      body: {
        platforms: [{ accountId }],
        mediaItems: [{ type: 'image', url: imageUrl }],
        scheduledFor: 'auto',
      },
    });
    await ask(400, {
      body: { platforms: [{ accountId: nobody }], content: 'x', scheduledFor: desk.later() },
    });
    await ask(400, {
      body: { platforms: [{ accountId: youtube }], content: 'x', scheduledFor: desk.later() },
    });
    await ask(400, { body: { platforms: 'all' } });
    await ask(400, { rawBody: '{' });
    await ask(413, { rawBody: ' '.repeat(11 * 1024 * 1024) });
    await ask(413, { rawBody: ' '.repeat(7 * 1024 * 1024) });
    await ask(431, { body: {}, headers: { 'x-long': 'x'.repeat(10_300) } });
  },
  'posts-validate': async (ask, desk) => {
    const platforms = [{ accountId: desk.things.accountId }];
    await ask(200, { body: { platforms, content: 'no media' } });
    await ask(200, {
      body: { platforms: [{ accountId: desk.client.accountId('threads') }], content: 'fine' },
    });
    await ask(400, { body: [] });
  },
  'posts-list': async (ask, desk) => {
    const first = await ask(200, { query: 'limit=1' });
    const { nextCursor } = first.json() as Record<string, string>;
    await ask(200, { query: `limit=1&cursor=${encodeURIComponent(nextCursor ?? '')}` });
    await ask(200, { query: 'limit=500&status=published' });
    await ask(200, { query: `accountId=${desk.things.accountId}` });
    await ask(400, { query: 'limit=501' });
    await ask(400, { query: 'cursor=forged' });
  },
  'posts-read': async (ask, desk) => {
    for (const id of [
      desk.things.liveId,
      desk.things.failedId,
      await desk.makeDraft(),
      await desk.makeScheduled(),
    ]) {
      await ask(200, { path: { id } });
    }
  },
  'posts-edit': async (ask, desk) => {
    const path = { id: await desk.makeDraft() };
    const body = {
      content: 'changed',
      scheduledFor: null,
      timezone: 'Asia/Tokyo',
      coverUrl: null,
      chain: [],
    };
    await ask(200, { path, body });
    await ask(400, { path, body: { content: 1 } });
    await ask(409, { path: { id: desk.things.liveId }, body });
  },
  'posts-delete': async (ask, desk) => {
    await ask(200, { path: { id: await desk.makeDraft() } });
    await ask(409, { path: { id: desk.things.liveId } });
  },
  'posts-retry': async (ask, desk) => {
    await ask(409, { path: { id: desk.things.liveId } });
    await ask(200, { path: { id: desk.things.failedId } });
    await settled(desk.client, desk.things.failedId);
  },
  'posts-timeline': async (ask, desk) => {
    await ask(200, { path: { id: desk.things.liveId } });
    await ask(200, { path: { id: desk.things.failedId } });
  },
};
