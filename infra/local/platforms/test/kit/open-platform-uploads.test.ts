import { createHash } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { facebook } from '../../facebook/facebook.ts';
import { instagram } from '../../instagram/instagram.ts';
import type { PlatformDefinition } from '../../kit/types.ts';
import { tiktok } from '../../tiktok/tiktok.ts';
import { youtube } from '../../youtube/youtube.ts';
import { readMedia } from '../support/media.ts';
import {
  app,
  consent,
  login,
  type Opened,
  openInMemory,
  redirectUri,
  type TestClock,
  testClock,
  users,
  webOf,
} from './open-platform-support.ts';

let photo: Buffer;
let video: Buffer;
let clock: TestClock;
let platform: Opened;
let live: { readonly id: string; readonly atMs: number }[];

const photoUrl = 'https://media.test/photo.jpg';
const videoUrl = 'https://media.test/video.mp4';

beforeAll(async () => {
  [photo, video] = await Promise.all([readMedia('image.jpg'), readMedia('video.mp4')]);
});
beforeEach(() => {
  clock = testClock();
  live = [];
});
afterEach(() => platform.stop());

/** Requires that the test runs in one turn of the event loop: no timer, no input or output, no other thread. */
function inOneTurn(test: () => Promise<void>): () => Promise<void> {
  return async () => {
    let hasEnded = false;
    const nextTurn = setImmediate(() => {
      hasEnded = true;
    });
    await test();
    clearImmediate(nextTurn);
    expect(hasEnded).toBe(false);
  };
}

function open(definition: PlatformDefinition, web: typeof fetch = webOf({})): void {
  platform = openInMemory(definition, {
    clock,
    fetch: web,
    onLive: ({ id }, atMs) => live.push({ id, atMs }),
  });
}

const files = () =>
  webOf({
    [photoUrl]: { type: 'image/jpeg', bytes: photo },
    [videoUrl]: { type: 'video/mp4', bytes: video },
  });

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const exchange = (code: string) => ({
  client_id: app.id,
  client_secret: app.secret,
  grant_type: 'authorization_code',
  redirect_uri: redirectUri,
  code,
});

describe('Instagram in memory', () => {
  const root = '/graph.instagram.com/v25.0';
  let access_token: string;

  async function connect(web: typeof fetch, webhook?: { callbackUrl: string; verifyToken: string }) {
    open(instagram({ app: { ...app, ...(webhook && { webhook }) }, users }), web);
    const scopes = ['basic', 'content_publish', 'manage_comments'];
    const code = await consent(platform, '/www.instagram.com/oauth/authorize', {
      client_id: app.id,
      scope: scopes.map((name) => `instagram_business_${name}`).join(','),
    });
    const form = exchange(code);
    ({ access_token } = (
      await platform.call('POST', '/api.instagram.com/oauth/access_token', { form })
    ).body);
  }
  const post = async (edge: string, fields: Record<string, string>) =>
    (await platform.call('POST', `${root}/me/${edge}`, { form: { access_token, ...fields } })).body;
  const read = async (id: string, fields: string) =>
    (await platform.call('GET', `${root}/${id}?fields=${fields}&access_token=${access_token}`)).body;

  it(
    'publishes a photo from a virtual address, and reads it',
    inOneTurn(async () => {
      await connect(files());
      const { id: creation_id } = await post('media', { image_url: photoUrl, caption: 'Harbour' });
      clock.time += 1000;
      const { id } = await post('media_publish', { creation_id });
      expect(await read(id, 'caption')).toMatchObject({ caption: 'Harbour' });
      expect(platform.posts()).toMatchObject([{ id, media: [{ sha256: sha256(photo) }] }]);
    }),
  );

  it(
    'fetches a video in the background until it is idle',
    inOneTurn(async () => {
      await connect(files());
      const { id } = await post('media', { media_type: 'REELS', video_url: videoUrl });
      await platform.idle();
      clock.time += 5_000;
      expect(await read(id, 'status_code')).toMatchObject({ status_code: 'FINISHED' });
    }),
  );

  it(
    'sends webhooks when their time has come, and again if they are refused',
    inOneTurn(async () => {
      const received: string[] = [];
      let refusals = 1;
      await connect(
        async (address, init) => {
          const url = new URL(String(address));
          if (init?.method === 'GET') return new Response(url.searchParams.get('hub.challenge'));
          if (url.hostname !== 'herald.test') return files()(address);
          refusals -= 1;
          if (refusals >= 0) return new Response('', { status: 500 });
          received.push(String(init?.body));
          return new Response();
        },
        { callbackUrl: 'https://herald.test/webhook', verifyToken: 'token' },
      );
      await platform.control('PUT', 'settings', { webhookTwiceEvery: 0 });
      await post('subscribed_apps', { subscribed_fields: 'comments' });
      const { id: creation_id } = await post('media', { image_url: photoUrl });
      clock.time += 1000;
      const { id: postId } = await post('media_publish', { creation_id });
      await platform.control('POST', 'comments', { postId, username: 'north.light', text: 'Nice' });
      expect(platform.nextChangeMs()).toBe(clock.time + 20);
      for (const waitMs of [20, 0, 200]) {
        clock.time += waitMs;
        await platform.settle();
        await platform.idle();
      }
      expect(received).toEqual([expect.stringContaining('Nice')]);
      expect(platform.nextChangeMs()).toBeUndefined();
    }),
  );
});

describe('YouTube in memory', () => {
  const address = '/www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status';
  let authorization: string;

  beforeEach(async () => {
    open(youtube({ app, users }));
    const code = await consent(platform, '/accounts.google.com/o/oauth2/v2/auth', {
      client_id: app.id,
      scope: 'https://www.googleapis.com/auth/youtube.upload',
    });
    const { body } = await platform.call('POST', '/oauth2.googleapis.com/token', { form: exchange(code) });
    authorization = `Bearer ${body.access_token}`;
  });

  const putsOf = (bytes: Buffer) => (session: URL, first: number, end: number) =>
    platform.call('PUT', `/${session.host}${session.pathname}${session.search}`, {
      bytes: bytes.subarray(first, end),
      headers: { authorization, 'content-range': `bytes ${first}-${end - 1}/${bytes.length}` },
    });

  it(
    'uploads a video in two chunks',
    inOneTurn(async () => {
      // A box of type `free` makes the file longer than one chunk.
      const bytes = Buffer.concat([video, Buffer.from('0003000866726565', 'hex'), Buffer.alloc(0x30000)]);
      const put = putsOf(bytes);
      const { headers } = await platform.call('POST', address, {
        json: {
          snippet: { title: 'A boat', description: 'It floats' },
          status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
        },
        headers: {
          authorization,
          'x-upload-content-type': 'video/mp4',
          'x-upload-content-length': String(bytes.length),
        },
      });
      const session = new URL(headers.get('location') ?? '');
      expect((await put(session, 0, 262_144)).headers.get('range')).toBe('bytes=0-262143');
      const { status, body } = await put(session, 262_144, bytes.length);
      expect([status, body.id]).toEqual([200, live[0]?.id]);
      expect(platform.posts()).toMatchObject([{ content: 'It floats', media: [{ sha256: sha256(bytes) }] }]);
    }),
  );
});

describe('TikTok in memory', () => {
  const root = '/open.tiktokapis.com/v2';
  let authorization: string;

  beforeEach(async () => {
    open(tiktok({ app, users }), files());
    const code = await consent(platform, '/www.tiktok.com/v2/auth/authorize/', {
      client_key: app.id,
      scope: 'user.info.basic,video.publish',
    });
    const form = { ...exchange(code), client_key: app.id };
    const { body } = await platform.call('POST', `${root}/oauth/token/`, { form });
    authorization = `Bearer ${body.access_token}`;
    await platform.control('PUT', 'settings', { verifiedDomains: ['media.test'] });
  });

  const init = async (source_info: object) => {
    const post_info = { title: 'Harbour', privacy_level: 'PUBLIC_TO_EVERYONE' };
    const path = `${root}/post/publish/video/init/`;
    const sent = { json: { post_info, source_info }, headers: { authorization } };
    return (await platform.call('POST', path, sent)).body['data'] as Record<string, string>;
  };

  it(
    'posts a video with the last byte of its upload',
    inOneTurn(async () => {
      const size = { video_size: video.length, chunk_size: video.length, total_chunk_count: 1 };
      const { upload_url = '' } = await init({ source: 'FILE_UPLOAD', ...size });
      const { host, pathname, search } = new URL(upload_url);
      const range = `bytes 0-${video.length - 1}/${video.length}`;
      const headers = { 'content-type': 'video/mp4', 'content-range': range };
      const answer = await platform.call('PUT', `/${host}${pathname}${search}`, { bytes: video, headers });
      expect(answer.status).toBe(201);
      expect(platform.posts()).toMatchObject([{ content: 'Harbour', media: [{ sha256: sha256(video) }] }]);
    }),
  );

  it(
    'posts a video that it fetches in the background, once it is processed',
    inOneTurn(async () => {
      await init({ source: 'PULL_FROM_URL', video_url: videoUrl });
      await platform.idle();
      expect(platform.posts()).toEqual([]);
      clock.time += 5_000;
      expect(platform.posts()).toMatchObject([{ content: 'Harbour' }]);
      expect(live).toHaveLength(1);
    }),
  );
});

describe('Facebook in memory', () => {
  const root = '/graph.facebook.com/v25.0';

  it(
    'makes a reel live by the passing of time alone',
    inOneTurn(async () => {
      open(facebook({ app, users }), files());
      const code = await consent(platform, '/www.facebook.com/v25.0/dialog/oauth', {
        client_id: app.id,
        scope: 'pages_show_list,pages_manage_posts',
      });
      const get = async (path: string, fields: Record<string, string>) =>
        (await platform.call('GET', `${root}/${path}?${new URLSearchParams(fields)}`)).body;
      const { access_token } = await get('oauth/access_token', exchange(code));
      const { data } = await get('me/accounts', { access_token, fields: 'id,access_token' });
      const [page] = data as { id: string; access_token: string }[];
      const post = async (fields: Record<string, string>) =>
        (
          await platform.call('POST', `${root}/${page?.id}/video_reels`, {
            form: { access_token: page?.access_token ?? '', ...fields },
          })
        ).body;

      const { video_id } = await post({ upload_phase: 'start' });
      const headers = { authorization: `OAuth ${page?.access_token}`, file_url: videoUrl };
      await platform.call('POST', `/rupload.facebook.com/video-upload/v25.0/${video_id}`, { headers });
      await platform.idle();
      const finish = { upload_phase: 'finish', video_id: String(video_id), video_state: 'PUBLISHED' };
      await post({ ...finish, description: `By ${login}` });
      const finishedMs = clock.time;
      expect(platform.nextChangeMs()).toBe(finishedMs + 5_000);
      clock.time += 4_999;
      expect(platform.posts()).toEqual([]);
      clock.time += 60_000;
      expect(platform.posts()).toMatchObject([{ id: video_id, publishedAt: finishedMs }]);
      expect(live).toEqual([{ id: video_id, atMs: finishedMs + 5_000 }]);
    }),
  );
});
