import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMedia } from '../support/media.ts';
import { type Account, type Fields, type Fixture, openFixture } from './fixture.ts';

let instagram: Fixture;
let account: Account;
beforeEach(async () => {
  instagram = await openFixture();
  account = await instagram.connect();
});
afterEach(() => instagram.close());

const file = (name: string) => instagram.media.url(name);
const image = (caption = 'Morning light'): Fields => ({ image_url: file('image.jpg'), caption });
const reel = (extra: Fields = {}): Fields => ({
  media_type: 'REELS',
  video_url: file('video.mp4'),
  ...extra,
});
const read = (path: string, fields: Fields = {}) =>
  instagram.get(`v25.0/${path}`, { ...fields, access_token: account.token });
const list = (fields: Fields = {}) => read(`${account.id}/media`, fields);

async function measured(name: string, type: string) {
  const bytes = await readMedia(name);
  return { type, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

describe('media_publish', () => {
  it('makes an image live, with the fetched bytes and the arrival time of the call', async () => {
    const container = await instagram.ready(account, { ...image(), alt_text: 'A harbour' });
    instagram.advance(100);
    const { status, body } = await instagram.publish(account, container);
    expect([status, body]).toEqual([200, { id: expect.stringMatching(/^18120\d{12}$/) }]);
    expect(await instagram.posts()).toEqual([
      {
        id: body.id,
        accountId: account.id,
        permalink: expect.stringMatching(/^https:\/\/www\.instagram\.com\/p\/[\w-]{9,12}\/$/),
        content: 'Morning light',
        media: [await measured('image.jpg', 'image/jpeg')],
        details: { media_product_type: 'FEED', share_to_feed: true, alt_text: 'A harbour' },
        publishedAt: instagram.clock.time,
      },
    ]);
    expect(await instagram.status(account, container)).toMatchObject({ status_code: 'PUBLISHED' });
  });

  it('makes a reel live with its cover', async () => {
    const cover = { cover_url: file('square.jpg'), share_to_feed: 'false' };
    const id = await instagram.live(account, reel({ ...cover, caption: 'Tide' }));
    const [post] = await instagram.posts();
    expect(post).toMatchObject({
      permalink: expect.stringContaining('/reel/'),
      media: [await measured('video.mp4', 'video/mp4')],
      cover: await measured('square.jpg', 'image/jpeg'),
      details: { media_product_type: 'REELS', share_to_feed: false },
    });
    const fields = 'id,permalink,shortcode,media_type,media_product_type,timestamp,caption';
    expect((await read(id, { fields })).body).toEqual({
      id,
      permalink: post?.permalink,
      shortcode: post?.permalink.split('/').at(-2),
      media_type: 'VIDEO',
      media_product_type: 'REELS',
      timestamp: '2027-01-15T12:00:10+0000',
      caption: 'Tide',
    });
  });

  it('makes a carousel live as one post, in the order of its children', async () => {
    const video = { media_type: 'VIDEO', video_url: file('video.mp4'), is_carousel_item: 'true' };
    const children = [
      await instagram.ready(account, video),
      await instagram.ready(account, { image_url: file('image.jpg'), is_carousel_item: 'true' }),
    ];
    const parent = { media_type: 'CAROUSEL', caption: 'Two', children: JSON.stringify(children) };
    const id = await instagram.live(account, parent);
    expect((await instagram.posts())[0]?.media.map(({ type }) => type)).toEqual(['video/mp4', 'image/jpeg']);
    expect((await read(id, { fields: 'media_type' })).body).toMatchObject({ media_type: 'CAROUSEL_ALBUM' });
    expect((await list()).body.data).toEqual([{ id }]);
  });

  it('makes a story live without a caption, and lists it for a day', async () => {
    const id = await instagram.live(account, {
      media_type: 'STORIES',
      image_url: file('tall.jpg'),
      caption: 'x',
    });
    expect((await instagram.posts())[0]).toMatchObject({ content: '' });
    expect((await list()).body.data).toEqual([]);
    const stories = async () => (await read(`${account.id}/stories`, { fields: 'permalink' })).body.data;
    expect(await stories()).toEqual([
      { id, permalink: `https://www.instagram.com/stories/harbour.coffee/${id}` },
    ]);
    instagram.advance(86_400);
    expect(await stories()).toEqual([]);
  });

  it.each<[string, () => Promise<string>, number, number | undefined]>([
    [
      'a container that is not ready',
      async () => (await instagram.create(account, image())).body.id,
      9007,
      2207027,
    ],
    ['a container that does not exist', async () => '17889000000000401', 24, 2207008],
    ['no container', async () => '', 100, undefined],
    [
      'a carousel item on its own',
      () => instagram.ready(account, { image_url: file('image.jpg'), is_carousel_item: 'true' }),
      100,
      undefined,
    ],
    [
      'the container of another account',
      async () => instagram.ready(await instagram.connect('northlight'), image()),
      24,
      2207008,
    ],
  ])('refuses %s', async (_, container, code, subcode) => {
    const { status, body } = await instagram.publish(account, await container());
    expect([status, body.error.code, body.error.error_subcode]).toEqual([400, code, subcode]);
    expect(await instagram.posts()).toEqual([]);
  });

  it('refuses to publish a container twice', async () => {
    const container = await instagram.ready(account, image());
    await instagram.publish(account, container);
    expect((await instagram.publish(account, container)).body.error).toMatchObject({ code: 24 });
    expect(await instagram.posts()).toHaveLength(1);
  });

  it('can publish a container twice, or lose one that is finished, if the settings say so', async () => {
    const container = await instagram.ready(account, image());
    await instagram.publish(account, container);
    await instagram.set({ publishesAgain: true, losesContainers: true });
    expect((await instagram.publish(account, container)).status).toBe(200);
    expect(await instagram.posts()).toHaveLength(2);

    const lost = await instagram.ready(account, image());
    expect(await instagram.status(account, lost)).toMatchObject({ status_code: 'FINISHED' });
    expect((await instagram.publish(account, lost)).body.error).toMatchObject({
      code: 24,
      error_subcode: 2207008,
    });
  });

  it('makes one post live if the same container is published many times concurrently', async () => {
    const container = await instagram.ready(account, image());
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => instagram.publish(account, container)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await instagram.posts()).toHaveLength(1);
  });
});

describe('caps of 24 hours', () => {
  it('stop publishing at the limit, free up as posts age, and show in the quota', async () => {
    await instagram.control('PUT', 'limits', { posts: 2 });
    const quota = async () =>
      (await read(`${account.id}/content_publishing_limit`, { fields: 'quota_usage,config' })).body.data;
    await instagram.live(account, image());
    instagram.advance(3600);
    await instagram.live(account, image());
    expect(await quota()).toEqual([{ quota_usage: 2, config: { quota_total: 2, quota_duration: 86_400 } }]);
    const container = await instagram.ready(account, image());
    expect((await instagram.publish(account, container)).body.error).toMatchObject({
      code: 9,
      error_subcode: 2207042,
    });
    instagram.advance(86_400 - 3600);
    expect(await quota()).toMatchObject([{ quota_usage: 1 }]);
    expect((await instagram.publish(account, await instagram.ready(account, image()))).status).toBe(200);
  });

  it('apply to containers, too, separately for each account', async () => {
    await instagram.control('PUT', 'limits', { containers: 1 });
    expect((await instagram.create(account, image())).status).toBe(200);
    expect((await instagram.create(account, image())).body.error).toMatchObject({
      code: 9,
      error_subcode: 2207042,
    });
    expect((await instagram.create(await instagram.connect('northlight'), image())).status).toBe(200);
    instagram.advance(86_400);
    expect((await instagram.create(account, image())).status).toBe(200);
  });
});

describe('an unknown outcome', () => {
  it('is live if the reply was lost, as the status and the list show', async () => {
    const container = await instagram.ready(account, image());
    const since = String(instagram.clock.time / 1000);
    await instagram.fault('media_publish', 'drop-reply');
    await expect(instagram.publish(account, container)).rejects.toThrow();
    expect(await instagram.status(account, container)).toMatchObject({ status_code: 'PUBLISHED' });
    const fields = 'id,caption,timestamp,permalink,media_type,media_product_type';
    const { body } = await list({ fields, since, limit: '25' });
    expect(body.data).toMatchObject([{ caption: 'Morning light', media_type: 'IMAGE' }]);
  });

  it('is live if the error comes after publishing, as with 2207051', async () => {
    const container = await instagram.ready(account, image());
    await instagram.fault('media_publish', 'error-after:4/2207051');
    expect((await instagram.publish(account, container)).body.error).toMatchObject({
      code: 4,
      error_subcode: 2207051,
    });
    expect(await instagram.posts()).toHaveLength(1);
  });

  it('is not live if the platform did not publish it', async () => {
    const container = await instagram.ready(account, image());
    for (const fault of ['error:2', 'error:500', 'html', 'empty', 'ok-with-error:1']) {
      await instagram.fault('media_publish', fault);
      await instagram.publish(account, container);
    }
    expect(await instagram.posts()).toEqual([]);
    expect(await instagram.status(account, container)).toMatchObject({ status_code: 'FINISHED' });
  });

  it('shows late if reads lag', async () => {
    const container = await instagram.ready(account, image());
    await instagram.set({ readLagSeconds: 30, listLagSeconds: 60 });
    await instagram.publish(account, container);
    expect(await instagram.status(account, container)).toMatchObject({ status_code: 'FINISHED' });
    instagram.advance(30);
    expect(await instagram.status(account, container)).toMatchObject({ status_code: 'PUBLISHED' });
    expect((await list()).body.data).toEqual([]);
    instagram.advance(30);
    expect((await list()).body.data).toHaveLength(1);
  });
});

describe('the list of media', () => {
  it('is paged, newest first, starting from `since`', async () => {
    const ids: string[] = [];
    for (const caption of ['one', 'two', 'three']) ids.unshift(await instagram.live(account, image(caption)));
    const idsOf = (data: readonly { id: string }[]) => data.map(({ id }) => id);
    const first = (await list({ limit: '2' })).body;
    expect(idsOf(first.data)).toEqual(ids.slice(0, 2));
    expect(first.paging.next).toContain(first.paging.cursors.after);
    const second = (await list({ limit: '2', after: first.paging.cursors.after })).body;
    expect(idsOf(second.data)).toEqual(ids.slice(2));
    expect(second.paging.next).toBeUndefined();
    const since = String(instagram.clock.time / 1000 - 10);
    expect(idsOf((await list({ since })).body.data)).toEqual(ids.slice(0, 2));
    expect((await list({ after: 'guess' })).body.error.code).toBe(100);
  });

  it('can omit reels that are not shared to the feed', async () => {
    await instagram.set({ listUnsharedReels: false });
    const id = await instagram.live(account, reel({ share_to_feed: 'false' }));
    expect((await list()).body.data).toEqual([]);
    expect((await read(id)).body).toEqual({ id });
  });
});

describe('reading media', () => {
  it('can find nothing at first', async () => {
    const id = await instagram.live(account, image());
    await instagram.set({ firstReadMissing: true });
    expect((await read(id)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await read(id, { fields: 'permalink' })).body).toMatchObject({ id });
  });

  it('finds no object of another account, and nothing under an invalid id', async () => {
    const id = await instagram.live(await instagram.connect('northlight'), image());
    expect((await read(id)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await read('123')).body.error).toMatchObject({ code: 100, error_subcode: 33 });
  });
});

describe('comments', () => {
  const comment = (mediaId: string, fields: Fields) =>
    instagram.post(`v25.0/${mediaId}/comments`, { ...fields, access_token: account.token });

  it('are created and listed, newest first, with their authors', async () => {
    const id = await instagram.live(account, image());
    const first = (await comment(id, { message: 'First!' })).body.id;
    instagram.advance(1);
    const second = (await comment(id, { message: 'Second' })).body.id;
    const { body } = await read(`${id}/comments`, { fields: 'id,text,username,from' });
    const from = { id: account.id, username: 'harbour.coffee' };
    expect(body.data).toEqual([
      { id: second, text: 'Second', username: 'harbour.coffee', from },
      { id: first, text: 'First!', username: 'harbour.coffee', from },
    ]);
    expect((await read(first, { fields: 'text' })).body).toEqual({ id: first, text: 'First!' });
  });

  it('are created although the call fails if it requests fields', async () => {
    const id = await instagram.live(account, image());
    expect((await comment(id, { message: 'Once', fields: 'id' })).status).toBe(400);
    expect((await read(`${id}/comments`)).body.data).toHaveLength(1);
  });

  it('are refused without a message, on stories, on other accounts’ media, and without the permission', async () => {
    const id = await instagram.live(account, image());
    const story = await instagram.live(account, { media_type: 'STORIES', image_url: file('image.jpg') });
    expect((await comment(id, {})).body.error.code).toBe(100);
    expect((await comment(story, { message: 'x' })).body.error).toMatchObject({
      code: 100,
      error_subcode: 33,
    });
    expect((await comment('18120000000009997', { message: 'x' })).body.error.code).toBe(100);
    account = await instagram.connect('harbour.coffee', { declined: 'instagram_business_manage_comments' });
    expect((await comment(id, { message: 'x' })).body.error.code).toBe(10);
  });
});

describe('webhook subscriptions', () => {
  const call = async (method: string, fields = '') => {
    const query = new URLSearchParams({
      access_token: account.token,
      ...(fields && { subscribed_fields: fields }),
    });
    const url = instagram.url(`graph.instagram.com/v25.0/me/subscribed_apps?${query}`);
    return (await fetch(url, { method })).json();
  };

  it('are stored, listed and deleted', async () => {
    expect(await call('POST', 'comments,messages,messaging_postbacks')).toEqual({ success: true });
    expect(await call('GET')).toMatchObject({
      data: [{ subscribed_fields: ['comments', 'messages', 'messaging_postbacks'] }],
    });
    expect(await call('DELETE')).toEqual({ success: true });
    expect(await call('GET')).toEqual({ data: [] });
  });

  it.each(['', 'likes'])('are refused for the fields %j', async (fields) => {
    expect(await call('POST', fields)).toMatchObject({ error: { code: 100 } });
  });
});

describe('comment_enabled', () => {
  it('turns the comments of a post off and on, and then refuses new ones', async () => {
    const id = await instagram.live(account, image());
    const enable = (comment_enabled?: string) =>
      instagram.post(`v25.0/${id}`, {
        ...(comment_enabled && { comment_enabled }),
        access_token: account.token,
      });
    const comment = () =>
      instagram.post(`v25.0/${id}/comments`, { message: 'First', access_token: account.token });
    expect((await enable()).status).toBe(400);
    expect((await enable('false')).body).toEqual({ success: true });
    expect((await read(id, { fields: 'is_comment_enabled' })).body).toMatchObject({
      is_comment_enabled: false,
    });
    expect((await comment()).status).toBe(400);
    expect((await enable('true')).body).toEqual({ success: true });
    expect((await comment()).status).toBe(200);
  });

  it('is only for a post of the account', async () => {
    const { status } = await instagram.post('v25.0/18120000000000001', {
      comment_enabled: 'false',
      access_token: account.token,
    });
    expect(status).toBe(400);
  });
});
