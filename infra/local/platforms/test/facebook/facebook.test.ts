import { createHmac } from 'node:crypto';
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { facebook } from '../../facebook/facebook.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { type MediaServer, serveMedia } from '../support/media.ts';

const app = { id: '990011223344', secret: 'app-secret', redirectUris: ['https://herald.example/cb'] };
const redirectUri = 'https://herald.example/cb';
const scope =
  'pages_show_list,pages_read_engagement,pages_manage_posts,pages_manage_engagement,business_management';

type Fields = Record<string, string>;
interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly error?: Record<string, unknown> };
}

let media: MediaServer;
let simulator: Simulator;
let directory: string;
let pageToken: string;
let pageId: string;
const clock = { time: 0, now: () => clock.time };
const definition = facebook({ app, users: [{ username: 'harbour.coffee' }] });

beforeAll(async () => {
  media = await serveMedia();
});
afterAll(() => media.close());
beforeEach(async () => {
  clock.time = Date.UTC(2027, 0, 15, 12);
  directory = await mkdtemp(join(tmpdir(), 'facebook-'));
  simulator = await startSimulator({ definition, dataDirectory: directory, clock, port: 0 });
  const [page] = await listPages(await longToken());
  if (!page) throw new Error('no Page');
  ({ access_token: pageToken, id: pageId } = page);
});
afterEach(async () => {
  await simulator.stop();
  await rm(directory, { recursive: true });
});

async function send(path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(`${simulator.url}/${path}`, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : { text } };
}
const get = (path: string, fields: Fields = {}) =>
  send(`graph.facebook.com/v25.0/${path}?${new URLSearchParams(fields)}`);
const post = (path: string, fields: Fields = {}) =>
  send(`graph.facebook.com/v25.0/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ access_token: pageToken, ...fields }),
  });
const control = (path: string, method: string, body: object) =>
  fetch(`${simulator.control}/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const codeOf = ({ body }: Reply) =>
  [body.error?.['code'], body.error?.['error_subcode']].filter((part) => part !== undefined).join('/');

async function code(extra: Fields = {}): Promise<string> {
  const query = new URLSearchParams({
    client_id: app.id,
    redirect_uri: redirectUri,
    scope,
    state: 's',
    login: 'harbour.coffee',
    approve: '1',
    ...extra,
  });
  const response = await fetch(`${simulator.url}/www.facebook.com/v25.0/dialog/oauth?${query}`, {
    redirect: 'manual',
  });
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}
const client = { client_id: app.id, client_secret: app.secret };
const exchange = (fields: Fields) => get('oauth/access_token', { ...client, ...fields });
async function shortToken(extra: Fields = {}) {
  const { body } = await exchange({ redirect_uri: redirectUri, code: await code(extra) });
  return String(body['access_token']);
}
async function longToken(extra: Fields = {}) {
  const fb_exchange_token = await shortToken(extra);
  const { body } = await exchange({ grant_type: 'fb_exchange_token', fb_exchange_token });
  return String(body['access_token']);
}
async function listPages(token: string): Promise<{ id: string; access_token: string }[]> {
  const { body } = await get('me/accounts', { access_token: token, fields: 'id,access_token,tasks' });
  return body['data'] as { id: string; access_token: string }[];
}
async function photo(): Promise<string> {
  const url = media.url('image.jpg');
  return String((await post(`${pageId}/photos`, { url, published: 'false' })).body['id']);
}
const attached = (...ids: string[]) => JSON.stringify(ids.map((media_fbid) => ({ media_fbid })));

describe('login', () => {
  it.each([
    ['another app', { client_id: '1' }],
    ['an unregistered redirect address', { redirect_uri: `${redirectUri}/` }],
    ['an unknown scope', { scope: 'pages_sparkle' }],
    ['an unknown person', { login: 'nobody' }],
  ])('shows an error page and does not redirect for %s', async (_what, wrong) => {
    const fields = {
      client_id: app.id,
      redirect_uri: redirectUri,
      scope,
      login: 'harbour.coffee',
      approve: '1',
    };
    const query = new URLSearchParams({ ...fields, ...wrong });
    expect((await send(`www.facebook.com/v25.0/dialog/oauth?${query}`)).status).toBe(400);
  });

  it('accepts a code once, within ten minutes, with the redirect address it was issued for', async () => {
    const used = await code();
    await exchange({ redirect_uri: redirectUri, code: used });
    expect(codeOf(await exchange({ redirect_uri: redirectUri, code: used }))).toBe('100/36009');
    expect(codeOf(await exchange({ redirect_uri: 'https://a', code: await code() }))).toBe('100/36008');
    const late = await code();
    clock.time += 600_000;
    expect(codeOf(await exchange({ redirect_uri: redirectUri, code: late }))).toBe('100/36007');
  });

  it('does not exchange an expired token for a long-lived one', async () => {
    const short = await shortToken();
    clock.time += 2 * 3_600_000;
    const answer = await exchange({ grant_type: 'fb_exchange_token', fb_exchange_token: short });
    expect(codeOf(answer)).toBe('190/463');
  });

  it('lists granted and declined permissions', async () => {
    const access_token = await longToken({ declined: 'pages_manage_posts' });
    const { body } = await get('me/permissions', { access_token });
    expect(body['data']).toContainEqual({ permission: 'pages_manage_posts', status: 'declined' });
    expect(body['data']).toContainEqual({ permission: 'pages_show_list', status: 'granted' });
  });

  it('gives Page tokens that expire with the user token they were listed with', async () => {
    const [short] = await listPages(await shortToken());
    clock.time += 2 * 3_600_000;
    expect(codeOf(await get('me', { access_token: short?.access_token ?? '' }))).toBe('190/463');
    clock.time += 400 * 86_400_000;
    expect((await get('me', { access_token: pageToken })).body).toEqual({ id: pageId });
  });

  it('inspects tokens only for the app', async () => {
    expect(codeOf(await get('debug_token', { input_token: pageToken, access_token: pageToken }))).toBe('100');
    const access_token = `${app.id}|${app.secret}`;
    const { body } = await get('debug_token', { input_token: pageToken, access_token });
    expect(body['data']).toMatchObject({ is_valid: true, expires_at: 0, type: 'PAGE', profile_id: pageId });
  });
});

describe('every call', () => {
  it.each([
    ['v20.0/me', '2500'],
    ['v25.0/nothing/of/that', '2500'],
  ])('to %s is refused as unknown', async (path, expected) => {
    const answer = await send(`graph.facebook.com/${path}?access_token=${pageToken}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, expected]);
  });

  it('checks the proof of the app secret if it is sent', async () => {
    const appsecret_proof = createHmac('sha256', app.secret).update(pageToken).digest('hex');
    expect((await get('me', { access_token: pageToken, appsecret_proof })).status).toBe(200);
    expect(codeOf(await get('me', { access_token: pageToken, appsecret_proof: 'guess' }))).toBe('100');
  });

  it('needs a Page token, and the token’s own Page', async () => {
    expect(codeOf(await post(`${pageId}/feed`, { message: 'a', access_token: await longToken() }))).toBe(
      '200',
    );
    expect(codeOf(await post('105400000000999/feed', { message: 'a' }))).toBe('100/33');
  });

  it('needs the permission', async () => {
    const [page] = await listPages(await longToken({ declined: 'pages_manage_posts' }));
    const access_token = page?.access_token ?? '';
    expect(codeOf(await post(`${pageId}/feed`, { message: 'a', access_token }))).toBe('200');
  });
});

describe('feed', () => {
  it.each<[string, Fields, string]>([
    ['no parameters', {}, '197'],
    ['an empty message', { message: '' }, '197'],
    ['a link to Facebook', { link: 'https://www.facebook.com/x' }, '100/1609008'],
    ['an invalid link', { link: 'nowhere' }, '100/2061006'],
    ['a photo that does not exist', { attached_media: attached('1220970000000000999') }, '100/33'],
    ['media that are not a list', { attached_media: '{}' }, '100'],
    ['an audience without countries', { message: 'a', targeting: '{"geo_locations":{}}' }, '100'],
    [
      'a country by its name',
      { message: 'a', targeting: '{"geo_locations":{"countries":["Turkey"]}}' },
      '100',
    ],
  ])('refuses %s', async (_what, fields, expected) => {
    expect(codeOf(await post(`${pageId}/feed`, fields))).toBe(expected);
  });

  it('refuses the same text twice in a row', async () => {
    await post(`${pageId}/feed`, { message: 'a' });
    expect(codeOf(await post(`${pageId}/feed`, { message: 'a' }))).toBe('506');
    await post(`${pageId}/feed`, { message: 'b' });
    expect((await post(`${pageId}/feed`, { message: 'a' })).status).toBe(200);
  });

  it('uses a photo only once', async () => {
    const id = await photo();
    expect(codeOf(await post(`${pageId}/feed`, { attached_media: attached(id, id) }))).toBe('100/1366051');
    expect((await post(`${pageId}/feed`, { attached_media: attached(id) })).status).toBe(200);
    expect(codeOf(await post(`${pageId}/feed`, { attached_media: attached(id) }))).toBe('100/1366051');
    expect(codeOf(await post(`${pageId}/photo_stories`, { photo_id: id }))).toBe('100/1366051');
  });

  it('lists the photos of an album as its subattachments', async () => {
    const ids = [await photo(), await photo()];
    await post(`${pageId}/feed`, { message: 'two', attached_media: attached(...ids) });
    const fields = 'id,message,attachments{media_type,target,subattachments{target}}';
    const { body } = await get(`${pageId}/published_posts`, { access_token: pageToken, fields });
    const [listed] = body['data'] as { attachments: { data: { subattachments: { data: unknown[] } }[] } }[];
    expect(listed?.attachments.data[0]?.subattachments.data).toMatchObject(
      ids.map((id) => ({ target: { id } })),
    );
  });

  const draft = { published: 'false', unpublished_content_type: 'DRAFT' };

  it('makes drafts, which are read by their id and are in no list', async () => {
    await post(`${pageId}/feed`, { message: 'a' });
    const { body } = await post(`${pageId}/feed`, { message: 'a', ...draft });
    const read = (path: string) => get(path, { access_token: pageToken, fields: 'id,message' });
    expect((await read(String(body['id']))).body).toMatchObject({ message: 'a' });
    expect((await read(`${pageId}/published_posts`)).body['data']).toHaveLength(1);
    expect(codeOf(await post(`${pageId}/feed`, { message: 'a' }))).toBe('506');
  });

  it.each<[string, Fields]>([
    ['unpublished, but neither drafts nor scheduled', { published: 'false' }],
    ['for ads', { ...draft, unpublished_content_type: 'ADS_POST' }],
    ['published and drafts', { ...draft, published: 'true' }],
  ])('refuses posts that are %s', async (_what, fields) => {
    expect(codeOf(await post(`${pageId}/feed`, { message: 'a', ...fields }))).toBe('100');
  });

  it('refuses photos above the size in the settings', async () => {
    const url = media.url('image.jpg');
    const upload = () => post(`${pageId}/photos`, { url, published: 'false' });
    expect((await upload()).status).toBe(200);
    await control('settings', 'PUT', { largestPhotoBytes: 100 });
    expect(codeOf(await upload())).toBe('100/1366046');
  });

  it.each([
    ['video.mp4', '324'],
    ['media-corpus/photo.heic', '324'],
    ['media-corpus/photo.avif', '324'],
    ['media-corpus/photo.webp', '324'],
    ['missing.jpg', '100/1366046'],
    ['broken.jpg', '100/1366046'],
  ])('refuses %s as a photo', async (name, expected) => {
    const url = media.url('image.jpg');
    const answer = await post(`${pageId}/photos`, {
      url: url.replace('image.jpg', name),
      published: 'false',
    });
    expect(codeOf(answer)).toBe(expected);
  });
});

describe('videos', () => {
  const videos = (phase: string, body: URLSearchParams | FormData) =>
    send(`graph-video.facebook.com/v25.0/${pageId}/videos?upload_phase=${phase}&access_token=${pageToken}`, {
      method: 'POST',
      body,
    });
  const start = (bytes: number) => videos('start', new URLSearchParams({ file_size: String(bytes) }));
  const transfer = (session: unknown, offset: number, bytes: number) => {
    const form = new FormData();
    form.set('upload_phase', 'transfer');
    form.set('upload_session_id', String(session));
    form.set('start_offset', String(offset));
    form.set('video_file_chunk', new Blob([Buffer.alloc(bytes)]), 'chunk');
    return videos('transfer', form);
  };

  it.each([
    ['one byte too few', 0, 99],
    ['one byte too many', 0, 101],
    ['another offset', 1, 100],
  ])('refuses a chunk with %s, and answers the expected offsets', async (_what, offset, bytes) => {
    await control('settings', 'PUT', { chunkBytes: 100 });
    const { body } = await start(250);
    const answer = await transfer(body['upload_session_id'], offset, bytes);
    expect(codeOf(answer)).toBe('6000/1363037');
    expect(answer.body.error?.['error_data']).toEqual({ start_offset: '0', end_offset: '100' });
  });

  it('keep only the reported bytes if the simulator was killed while it stored a chunk', async () => {
    await control('settings', 'PUT', { chunkBytes: 100 });
    const { body } = await start(250);
    await transfer(body['upload_session_id'], 0, 100);
    await simulator.stop();
    const path = join(directory, 'videos', String(body['video_id']));
    await appendFile(path, Buffer.alloc(60));
    simulator = await startSimulator({ definition, dataDirectory: directory, clock, port: 0 });
    const answer = await transfer(body['upload_session_id'], 100, 100);
    expect(answer.body).toMatchObject({ start_offset: '200', end_offset: '250' });
    expect((await stat(path)).size).toBe(200);
  });

  it('refuse to finish before the last byte', async () => {
    const { body } = await start(250);
    const session = new URLSearchParams({ upload_session_id: String(body['upload_session_id']) });
    expect(codeOf(await videos('finish', session))).toBe('6000/1363019');
  });
});

describe('reels', () => {
  const startReel = async () =>
    (await post(`${pageId}/video_reels?upload_phase=start`)).body as { video_id: string; upload_url: string };
  const upload = async (address: string, headers: Record<string, string>) =>
    send(address.replace('https://', ''), { method: 'POST', headers });
  const finish = (video_id: string, more: Fields = {}) =>
    post(`${pageId}/video_reels?upload_phase=finish`, { video_id, video_state: 'PUBLISHED', ...more });
  const status = async (id: string) =>
    (await get(id, { access_token: pageToken, fields: 'status,post_id,permalink_url' })).body as {
      status: { video_status: string; publishing_phase: { publish_status: string } };
      permalink_url: string;
    };
  async function uploaded(): Promise<string> {
    const { video_id, upload_url } = await startReel();
    const url = media.url('video.mp4');
    await upload(upload_url, { authorization: `OAuth ${pageToken}`, file_url: url });
    for (;;) {
      if ((await status(video_id)).status.video_status === 'upload_complete') return video_id;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  it('are accepted first and live after processing, with a relative permalink', async () => {
    const id = await uploaded();
    expect(codeOf(await finish(id, { video_state: 'LATER' }))).toBe('100');
    expect((await finish(id, { description: 'Hi' })).body).toEqual({ success: true });
    expect((await status(id)).status.publishing_phase.publish_status).toBe('published');
    expect((await status(id)).status.video_status).toBe('processing');
    clock.time += 5_000;
    expect(await status(id)).toMatchObject({
      status: { video_status: 'ready' },
      permalink_url: `/reel/${id}/`,
    });
    const posts = (await (await fetch(`${simulator.control}/posts`)).json()) as unknown[];
    expect(posts).toMatchObject([{ id, accountId: pageId, content: 'Hi' }]);
    expect(codeOf(await finish(id))).toBe('100');
  });

  it('stay unpublished if they are drafts', async () => {
    const id = await uploaded();
    await finish(id, { video_state: 'DRAFT' });
    clock.time += 5_000;
    const { body } = await get(id, { access_token: pageToken, fields: 'status,published,post_id' });
    expect(body).toMatchObject({
      published: false,
      status: {
        video_status: 'ready',
        processing_phase: { status: 'complete' },
        publishing_phase: { status: 'not_started', publish_status: 'draft' },
      },
    });
    expect(body).not.toHaveProperty('post_id');
  });

  it('have collaborators, of whom a Page invites ten in 24 hours', async () => {
    const id = await uploaded();
    const invite = (target_id: string) => post(`${id}/collaborators`, { target_id });
    expect((await invite('105400000000009')).body).toMatchObject({
      success: true,
      collaborator_id: '105400000000009',
      invitation_link: expect.any(String),
    });
    expect(codeOf(await invite('@harbour'))).toBe('100');
    for (let count = 0; count < 9; count += 1) await invite(`10540000000010${count}`);
    expect(codeOf(await invite('105400000000200'))).toBe('368');
    clock.time += 86_400_001;
    expect((await invite('105400000000200')).status).toBe(200);
  });

  it('cannot be finished before their file has arrived', async () => {
    const { video_id } = await startReel();
    expect(codeOf(await finish(video_id))).toBe('6000/1363019');
  });

  it.each<[string, (url: string) => Record<string, string>]>([
    ['a bearer', (url) => ({ authorization: `Bearer ${pageToken}`, file_url: url })],
    ['no file address', () => ({ authorization: `OAuth ${pageToken}` })],
    ['a file on fbcdn', () => ({ authorization: `OAuth ${pageToken}`, file_url: 'https://a.fbcdn.net/v' })],
  ])('refuse an upload with %s', async (_what, headers) => {
    const { upload_url } = await startReel();
    const url = media.url('video.mp4');
    expect((await upload(upload_url, headers(url))).status).toBe(400);
  });

  it('are listed once they are published, newest first, and drafts never', async () => {
    const draft = await uploaded();
    await finish(draft, { video_state: 'DRAFT' });
    const first = await uploaded();
    await finish(first, { description: 'One' });
    clock.time += 60_000;
    const second = await uploaded();
    await finish(second);
    const list = async (since = 0) =>
      (
        await get(`${pageId}/video_reels`, {
          access_token: pageToken,
          fields: 'id,updated_time',
          since: String(Math.floor(since / 1000)),
        })
      ).body['data'] as { id: string }[];
    expect((await list()).map(({ id }) => id)).toEqual([second, first]);
    expect((await list(clock.time - 1_000)).map(({ id }) => id)).toEqual([second]);
  });

  it('are limited to thirty per day', async () => {
    await control('limits', 'PUT', { reels: 1 });
    await finish(await uploaded());
    const second = await uploaded();
    expect(codeOf(await finish(second))).toBe('100/1390008');
    clock.time += 86_400_001;
    expect((await finish(second)).status).toBe(200);
  });

  it('that are in processing when the simulator stops are live after a restart', async () => {
    const id = await uploaded();
    await finish(id);
    await simulator.stop();
    clock.time += 60_000;
    simulator = await startSimulator({ definition, dataDirectory: directory, clock, port: 0 });
    expect((await status(id)).status.video_status).toBe('ready');
  });
});
