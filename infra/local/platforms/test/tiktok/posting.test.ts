import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMedia } from '../support/media.ts';
import { draftScopes, type Fixture, openFixture, servePhotos, whole } from './support.ts';

let tiktok: Fixture;
let token: string;
beforeEach(async () => {
  tiktok = await openFixture();
  token = await tiktok.connect();
});
afterEach(() => tiktok.close());

const chunkBytes = 5_242_880;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the creator', () => {
  const query = () => tiktok.call(token, 'POST', 'post/publish/creator_info/query/');

  it('has options that depend on the account', async () => {
    expect((await query()).body.data).toMatchObject({
      creator_username: 'harbour.coffee',
      privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      comment_disabled: false,
      max_video_post_duration_sec: 600,
    });
    await tiktok.user({ isPrivate: true, duetDisabled: true });
    expect((await query()).body.data).toMatchObject({
      privacy_level_options: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      duet_disabled: true,
    });
  });

  it('is refused with HTTP 200 if they cannot post now', async () => {
    await tiktok.user({ isBanned: true });
    const banned = await query();
    expect([banned.status, banned.body.error.code]).toEqual([200, 'spam_risk_user_banned_from_posting']);
  });
});

describe('the init of a video', () => {
  it.each([
    ['access_token_invalid', { status: 401 }, () => tiktok.init('act.guess', whole(1_000))],
    [
      'invalid_params',
      { status: 400 },
      () => tiktok.call(token, 'POST', 'post/publish/video/init/', {}, 'text/plain'),
    ],
    ['invalid_param', { status: 400 }, () => tiktok.call(token, 'POST', 'post/publish/video/init/')],
    ['invalid_param', { status: 400 }, () => tiktok.init(token, whole(1_000), { privacy_level: undefined })],
    ['invalid_param', { status: 400 }, () => tiktok.init(token, whole(1_000), { privacy_level: 'public' })],
    ['invalid_param', { status: 400 }, () => tiktok.init(token, whole(1_000), { auto_add_music: true })],
    ['invalid_param', { status: 400 }, () => tiktok.init(token, whole(1_000), { title: 'a'.repeat(2_201) })],
    [
      'invalid_param',
      { status: 400 },
      () => tiktok.init(token, whole(1_000), { privacy_level: 'SELF_ONLY', brand_content_toggle: true }),
    ],
    [
      'privacy_level_option_mismatch',
      { status: 403 },
      () => tiktok.init(token, whole(1_000), { privacy_level: 'FOLLOWER_OF_CREATOR' }),
    ],
    [
      'url_ownership_unverified',
      { status: 403 },
      () =>
        tiktok.call(token, 'POST', 'post/publish/video/init/', {
          post_info: { privacy_level: 'SELF_ONLY' },
          source_info: { source: 'PULL_FROM_URL', video_url: 'https://media.example/video.mp4' },
        }),
    ],
  ])('is refused with %s', async (code, status, init) => {
    expect(await init()).toMatchObject({ ...status, body: { error: { code } } });
  });

  it.each([
    ['one byte too many for one chunk', 64_000_001, 64_000_001, 1, false],
    ['the maximum for one chunk', 64_000_000, 64_000_000, 1, true],
    ['chunks that are too small', 50_000_000, 5_000_000, 10, false],
    ['chunks that are too large', 130_000_000, 65_000_000, 2, false],
    ['the example of the guide', 50_000_123, 10_000_000, 5, true],
    ['an extra chunk for the remainder', 50_000_123, 10_000_000, 6, false],
    ['one chunk too few', 50_000_123, 10_000_000, 4, false],
    ['two chunks for a small file', 4_000_000, 2_000_000, 2, false],
    ['a chunk larger than a small file', 4_000_000, 5_242_880, 1, false],
    ['more than a thousand chunks', 3_999_999_999, 3_900_000, 1_025, false],
    ['more than 4 GB', 4_000_000_001, 10_000_000, 400, false],
  ])(
    'checks sizes and number of chunks: %s',
    async (_name, video_size, chunk_size, total_chunk_count, isAccepted) => {
      const { body } = await tiktok.init(token, { video_size, chunk_size, total_chunk_count });
      expect(body.error.code).toBe(isAccepted ? 'ok' : 'invalid_param');
    },
  );

  it('needs the scope to publish', async () => {
    const code = (await tiktok.callback({ declined: 'video.publish' })).get('code') ?? '';
    const { body } = await tiktok.oauth('token', { grant_type: 'authorization_code', code });
    expect((await tiktok.init(body.access_token, whole(1_000))).body.error.code).toBe('scope_not_authorized');
  });

  it('is limited to six per minute and token', async () => {
    for (let call = 0; call < 6; call += 1) {
      expect((await tiktok.init(token, whole(1_000))).status).toBe(200);
      tiktok.advance(5);
    }
    expect(await tiktok.init(token, whole(1_000))).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded' } },
    });
    expect((await tiktok.init(await tiktok.connect('north.light'), whole(1_000))).status).toBe(200);
    tiktok.advance(31);
    expect((await tiktok.init(token, whole(1_000))).status).toBe(200);
  });

  it('of an unaudited app is allowed only for private accounts and with SELF_ONLY', async () => {
    await tiktok.set({ unaudited: true });
    const attempt = async (privacy_level: string) =>
      (await tiktok.init(token, whole(1_000), { privacy_level })).body.error.code;
    const refused = 'unaudited_client_can_only_post_to_private_accounts';
    expect(await attempt('SELF_ONLY')).toBe(refused);
    await tiktok.user({ isPrivate: true });
    expect(await attempt('MUTUAL_FOLLOW_FRIENDS')).toBe(refused);
    expect(await attempt('SELF_ONLY')).toBe('ok');
  });

  it('is refused above the daily cap of posts or of active creators', async () => {
    await tiktok.limit({ postsPerDay: 1, usersPerDay: 1 });
    await tiktok.post(token);
    expect((await tiktok.begin(token, Buffer.alloc(9))).body.error.code).toBe('spam_risk_too_many_posts');
    const other = await tiktok.connect('north.light');
    expect((await tiktok.begin(other, Buffer.alloc(9))).body.error.code).toBe('reached_active_user_cap');
    tiktok.advance(86_400);
    token = await tiktok.connect();
    expect((await tiktok.begin(token, Buffer.alloc(9))).body.error.code).toBe('ok');
  });
});

describe('an upload', () => {
  const total = 2 * chunkBytes + 7;
  const bytes = Buffer.alloc(total, 'harbour');
  const begin = async () => {
    const { body } = await tiktok.init(token, {
      video_size: total,
      chunk_size: chunkBytes,
      total_chunk_count: 2,
    });
    return body.data;
  };

  it('accepts chunks in order, the last one with the remainder', async () => {
    const { publish_id, upload_url } = await begin();
    const stored = async () => (await tiktok.status(token, publish_id)).body.data['uploaded_bytes'];
    expect(await stored()).toBe(0);

    expect((await tiktok.put(upload_url, bytes.subarray(chunkBytes), chunkBytes, total)).status).toBe(416);
    const first = await tiktok.put(upload_url, bytes.subarray(0, chunkBytes), 0, total);
    expect([first.status, first.headers.get('content-range')]).toEqual([
      206,
      `bytes 0-${chunkBytes - 1}/${total}`,
    ]);
    expect(await stored()).toBe(chunkBytes);

    await tiktok.restart();
    const again = await tiktok.put(upload_url, bytes.subarray(0, chunkBytes), 0, total);
    expect([again.status, again.headers.get('content-range')]).toEqual([
      416,
      `bytes 0-${chunkBytes - 1}/${total}`,
    ]);
    const withoutRest = bytes.subarray(chunkBytes, 2 * chunkBytes);
    expect((await tiktok.put(upload_url, withoutRest, chunkBytes, total)).status).toBe(416);
    expect((await tiktok.put(upload_url, bytes.subarray(chunkBytes), chunkBytes, total)).status).toBe(201);
    expect((await tiktok.put(upload_url, bytes.subarray(chunkBytes), chunkBytes, total)).status).toBe(404);
  });

  it.each([
    ['another type', { 'content-type': 'application/octet-stream' }],
    ['another total', { 'content-range': `bytes 0-${chunkBytes - 1}/${total + 1}` }],
    ['an invalid range', { 'content-range': 'bytes */*' }],
    ['a range longer than the body', { 'content-range': `bytes 0-${chunkBytes}/${total}` }],
  ])('is refused with %s', async (_name, headers) => {
    const { upload_url } = await begin();
    expect((await tiktok.put(upload_url, bytes.subarray(0, chunkBytes), 0, total, headers)).status).toBe(400);
  });

  it('must be complete within an hour, at the address from init', async () => {
    const { upload_url } = await begin();
    const other = new URL(upload_url);
    other.searchParams.set('upload_token', 'guess');
    expect((await tiktok.put(other.href, bytes.subarray(0, chunkBytes), 0, total)).status).toBe(403);
    other.searchParams.set('upload_id', 'guess');
    expect((await tiktok.put(other.href, bytes.subarray(0, chunkBytes), 0, total)).status).toBe(404);
    tiktok.advance(3_600);
    expect((await tiktok.put(upload_url, bytes.subarray(0, chunkBytes), 0, total)).status).toBe(403);
  });
});

describe('a video', () => {
  it('is live with its last byte, and shows its id after processing and moderation', async () => {
    const file = await readMedia('video.mp4');
    const { body } = await tiktok.begin(token, file, { is_aigc: true });
    expect(await tiktok.posts()).toEqual([]);
    expect((await tiktok.put(body.data.upload_url, file, 0, file.length)).status).toBe(201);
    const [post] = await tiktok.posts();
    expect(post).toMatchObject({
      content: 'Hello',
      permalink: `https://www.tiktok.com/@harbour.coffee/video/${post?.id}`,
      media: [{ type: 'video/mp4', bytes: file.length, sha256: sha256(file) }],
      details: { privacy_level: 'PUBLIC_TO_EVERYONE', is_aigc: true },
    });

    const status = async () => (await tiktok.status(token, body.data.publish_id)).text;
    expect(await status()).toContain('"status":"PROCESSING_UPLOAD"');
    tiktok.advance(5);
    expect(await status()).toContain('"publicaly_available_post_id":[]');
    tiktok.advance(2);
    // The id is a JSON number above 2^53.
    expect(await status()).toContain(`"publicaly_available_post_id":[${post?.id}]`);
    expect(String(Number(post?.id))).not.toBe(post?.id);
  });

  it('with SELF_ONLY never shows an id', async () => {
    const publishId = await tiktok.post(token, { privacy_level: 'SELF_ONLY' });
    tiktok.advance(3_600);
    expect((await tiktok.status(token, publishId)).text).toContain(
      '"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[]',
    );
  });

  it.each([
    ['file_format_check_failed', 'image.jpg'],
    ['duration_check_failed', 'two-seconds.mp4'],
  ])('fails with %s, and does not go live', async (reason, name) => {
    const file = await readMedia(name);
    const { body } = await tiktok.begin(token, file);
    expect((await tiktok.put(body.data.upload_url, file, 0, file.length)).status).toBe(201);
    tiktok.advance(5);
    expect((await tiktok.status(token, body.data.publish_id)).body.data).toEqual({
      status: 'FAILED',
      fail_reason: reason,
    });
    expect(await tiktok.posts()).toEqual([]);
  });

  it('fails or never ends as planned', async () => {
    await tiktok.control('POST', 'faults', { match: 'processing', fault: 'error:internal' });
    const failed = await tiktok.post(token);
    await tiktok.control('POST', 'faults', { match: 'processing', fault: 'timeout' });
    const stuck = await tiktok.post(token);
    tiktok.advance(3_600);
    expect((await tiktok.status(token, failed)).body.data).toMatchObject({ fail_reason: 'internal' });
    expect((await tiktok.status(token, stuck)).body.data.status).toBe('PROCESSING_UPLOAD');
  });

  it('cannot be read by another user', async () => {
    const publishId = await tiktok.post(token);
    const other = await tiktok.connect('north.light');
    expect((await tiktok.status(other, publishId)).body.error.code).toBe(
      'token_not_authorized_for_specified_publish_id',
    );
    expect((await tiktok.status(token, 'v_pub_file~guess')).body.error.code).toBe('invalid_publish_id');
  });

  it('is listed if it is public', async () => {
    await tiktok.post(token, { title: 'public' });
    await tiktok.post(token, { title: 'private', privacy_level: 'SELF_ONLY' });
    tiktok.advance(5);
    const path = 'video/list/?fields=id,video_description,create_time,share_url';
    const { body } = await tiktok.call(token, 'POST', path, { max_count: 20 });
    const [post] = await tiktok.posts();
    expect(body.data['videos']).toEqual([
      {
        id: post?.id,
        video_description: 'public',
        create_time: Math.floor(tiktok.clock.time / 1000),
        share_url: expect.stringContaining(post?.permalink ?? 'nothing'),
      },
    ]);
    await tiktok.post(token, { title: 'later' });
    tiktok.advance(5);
    const first = await tiktok.call(token, 'POST', path, { max_count: 1 });
    expect(first.body.data).toMatchObject({ videos: [{ video_description: 'later' }], has_more: true });
    const { cursor } = first.body.data;
    const last = await tiktok.call(token, 'POST', path, { max_count: 1, cursor });
    expect(last.body.data).toMatchObject({ videos: [{ video_description: 'public' }], has_more: false });
    const tooMany = await tiktok.call(token, 'POST', path, { max_count: 21 });
    expect(tooMany.body.error.code).toBe('invalid_params');
  });
});

describe('photos', () => {
  let photos: Awaited<ReturnType<typeof servePhotos>>;
  beforeEach(async () => {
    photos = await servePhotos();
  });
  afterEach(() => photos.close());

  const settled = async (publishId: string) => {
    for (;;) {
      tiktok.advance(5);
      const { data } = (await tiktok.status(token, publishId)).body;
      if (data.status !== 'PROCESSING_DOWNLOAD') return data;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('are live once they are processed, not when they are fetched', async () => {
    await tiktok.initPhotos(token, [photos.url('image.jpg')]);
    await tiktok.control('GET', 'idle');
    tiktok.advance(4);
    expect(await tiktok.posts()).toEqual([]);
    await tiktok.restart();
    tiktok.advance(1);
    expect(await tiktok.posts()).toHaveLength(1);
    await tiktok.restart();
    expect(await tiktok.posts()).toHaveLength(1);
  });

  it('are fetched and live after their init', async () => {
    const urls = [photos.url('image.jpg'), photos.url('square.jpg')];
    const { body } = await tiktok.initPhotos(token, urls);
    expect(body.data.publish_id).toMatch(/^p_pub_url~/);
    expect(await settled(body.data.publish_id)).toMatchObject({ status: 'PUBLISH_COMPLETE' });
    const [post] = await tiktok.posts();
    expect(post).toMatchObject({
      content: 'Hello',
      permalink: `https://www.tiktok.com/@harbour.coffee/photo/${post?.id}`,
      media: [
        { sha256: sha256(await readMedia('image.jpg')) },
        { sha256: sha256(await readMedia('square.jpg')) },
      ],
      details: { title: 'Hi', photo_cover_index: 0 },
    });
  });

  it.each([
    ['photo_pull_failed', 'nothing.jpg'],
    ['file_format_check_failed', 'image.png'],
    ['file_format_check_failed', 'broken.jpg'],
  ])('fail with %s if the file is %s', async (reason, name) => {
    const { body } = await tiktok.initPhotos(token, [photos.url(name)]);
    expect(await settled(body.data.publish_id)).toEqual({ status: 'FAILED', fail_reason: reason });
    expect(await tiktok.posts()).toEqual([]);
  });

  it.each([
    ['none', []],
    ['36', Array(36).fill('http://127.0.0.1/a.jpg')],
  ])('must be 1 to 35: not %s', async (_name, urls) => {
    expect((await tiktok.initPhotos(token, urls)).body.error.code).toBe('invalid_param');
  });

  it.each([
    ['a cover index out of range', { photo_cover_index: 1 }],
    ['no cover', { photo_cover_index: undefined }],
    ['uploaded files', { source: 'FILE_UPLOAD' }],
  ])('are refused with %s', async (_name, source) => {
    const source_info = {
      source: 'PULL_FROM_URL',
      photo_images: [photos.url('image.jpg')],
      photo_cover_index: 0,
      ...source,
    };
    const { body } = await tiktok.initPhotos(token, [], { source_info });
    expect(body.error.code).toBe('invalid_param');
  });

  it('come from verified domains and their subdomains', async () => {
    await tiktok.set({ verifiedDomains: ['media.example'] });
    const attempt = async (url: string) => (await tiktok.initPhotos(token, [url])).body.error.code;
    expect(await attempt('https://bucket.s3.amazonaws.com/a.jpg')).toBe('url_ownership_unverified');
    expect(await attempt('https://evilmedia.example/a.jpg')).toBe('url_ownership_unverified');
  });
});

describe('a draft', () => {
  let drafter: string;
  beforeEach(async () => {
    drafter = await tiktok.connect('harbour.coffee', { scope: draftScopes });
  });
  const begin = (by: string, bytes: number, more: object = {}) =>
    tiktok.call(by, 'POST', 'post/publish/inbox/video/init/', {
      source_info: { source: 'FILE_UPLOAD', ...whole(bytes) },
      ...more,
    });
  const photos = (by: string, url: string, info: object) =>
    tiktok.initPhotos(by, [url], { post_mode: 'MEDIA_UPLOAD', post_info: info });

  it('needs its own scope, and no audit', async () => {
    await tiktok.set({ unaudited: true });
    expect((await begin(token, 1_000)).body.error.code).toBe('scope_not_authorized');
    expect((await tiktok.init(drafter, whole(1_000))).body.error.code).toBe('scope_not_authorized');
    expect((await photos(token, 'http://127.0.0.1/a.jpg', {})).body.error.code).toBe('scope_not_authorized');
    expect((await begin(drafter, 1_000)).body.data.publish_id).toMatch(/^v_inbox_file~/);
  });

  it('of a video takes no text and no settings', async () => {
    const { body } = await begin(drafter, 1_000, { post_info: { title: 'Hello' } });
    expect(body.error.code).toBe('invalid_param');
  });

  it('of photos takes only texts', async () => {
    for (const info of [
      { privacy_level: 'SELF_ONLY' },
      { disable_comment: true },
      { auto_add_music: true },
    ]) {
      const { body } = await photos(drafter, 'http://127.0.0.1/a.jpg', info);
      expect(body.error.code).toBe('invalid_param');
    }
  });

  it('ends in the inbox, is no public post, and may be posted there', async () => {
    const file = await readMedia('video.mp4');
    const { data } = (await begin(drafter, file.length)).body;
    await tiktok.put(data.upload_url, file, 0, file.length);
    const status = async () => (await tiktok.status(drafter, data.publish_id)).body.data;
    expect((await status()).status).toBe('PROCESSING_UPLOAD');
    tiktok.clock.time += 5_000;
    expect(await status()).toEqual({ status: 'SEND_TO_USER_INBOX' });
    expect(await tiktok.posts()).toMatchObject([{ permalink: '', details: { isDraft: true } }]);
    const list = () => tiktok.call(token, 'POST', 'video/list/?fields=id', {});
    expect((await list()).text).toContain('"videos":[]');
    await tiktok.control('POST', 'inbox', { username: 'harbour.coffee' });
    tiktok.clock.time += 5_000;
    expect((await status()).status).toBe('PUBLISH_COMPLETE');
    expect((await list()).text).not.toContain('"videos":[]');
  });

  it('of photos keeps its texts', async () => {
    const served = await servePhotos();
    await photos(drafter, served.url('square.jpg'), { title: 'Hi', description: 'Hello' });
    await tiktok.control('GET', 'idle');
    tiktok.advance(5);
    expect(await tiktok.posts()).toMatchObject([{ content: 'Hello', details: { title: 'Hi' } }]);
    served.close();
  });

  it('is refused if five others of the last 24 hours are pending', async () => {
    for (let count = 0; count < 5; count += 1) expect((await begin(drafter, 1_000)).status).toBe(200);
    tiktok.clock.time += 3_600_000;
    const refused = await begin(drafter, 1_000);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'spam_risk_too_many_pending_share']);
    expect((await tiktok.post(token)).length).toBeGreaterThan(0);
  });
});
