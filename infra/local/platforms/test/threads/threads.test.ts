import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { threads } from '../../threads/threads.ts';
import { type MediaServer, serveMedia } from '../support/media.ts';

const redirectUri = 'https://herald.example/cb';
const app = {
  id: '990011223344',
  secret: 'app-secret',
  redirectUris: [redirectUri, 'http://herald.example/cb'],
};
const scope = 'threads_basic,threads_content_publish,threads_manage_replies,threads_read_replies';

type Fields = Record<string, string>;
interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown> & { readonly error?: Record<string, unknown> };
}

let media: MediaServer;
let simulator: Simulator;
let directory: string;
let token: string;
const clock = { time: 0, now: () => clock.time };
const definition = threads({ app, users: [{ username: 'harbour.coffee' }] });

beforeAll(async () => {
  media = await serveMedia();
});
afterAll(() => media.close());
beforeEach(async () => {
  clock.time = Date.UTC(2027, 0, 15, 12);
  directory = await mkdtemp(join(tmpdir(), 'threads-'));
  simulator = await startSimulator({ definition, dataDirectory: directory, clock, port: 0 });
  token = await longToken();
});
afterEach(async () => {
  await simulator.stop();
  await rm(directory, { recursive: true });
});

async function send(path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(`${simulator.url}/${path}`, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
}
const get = (path: string, fields: Fields = {}) =>
  send(`graph.threads.net/${path}?${new URLSearchParams({ access_token: token, ...fields })}`);
const post = (path: string, fields: Fields) =>
  send(`graph.threads.net/v1.0/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ access_token: token, ...fields }),
  });
const set = (path: 'settings' | 'limits', body: object) =>
  fetch(`${simulator.control}/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const codeOf = ({ body }: Reply) =>
  [body.error?.['code'], body.error?.['error_subcode']].filter((part) => part !== undefined).join('/');

async function authorize(extra: Fields = {}): Promise<Response> {
  const query = new URLSearchParams({
    client_id: app.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    login: 'harbour.coffee',
    approve: '1',
    ...extra,
  });
  return fetch(`${simulator.url}/threads.net/oauth/authorize?${query}`, { redirect: 'manual' });
}
async function code(extra: Fields = {}): Promise<string> {
  const location = (await authorize(extra)).headers.get('location') ?? '';
  return new URL(location).searchParams.get('code') ?? '';
}
const exchange = (fields: Fields) =>
  send('graph.threads.net/oauth/access_token', {
    method: 'POST',
    body: new URLSearchParams({
      client_id: app.id,
      client_secret: app.secret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      ...fields,
    }),
  });
async function longToken(extra: Fields = {}): Promise<string> {
  const short = String((await exchange({ code: await code(extra) })).body['access_token']);
  const answer = await get('access_token', {
    grant_type: 'th_exchange_token',
    client_secret: app.secret,
    access_token: short,
  });
  return String(answer.body['access_token']);
}
async function container(fields: Fields): Promise<string> {
  return String((await post('me/threads', fields)).body['id']);
}
async function ready(fields: Fields): Promise<string> {
  const id = await container(fields);
  clock.time += 10_000;
  for (;;) {
    const { body } = await get(`v1.0/${id}`, { fields: 'status' });
    if (body['status'] !== 'IN_PROGRESS') return id;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
const publish = (creation_id: string) => post('me/threads_publish', { creation_id });
const entities = (...parts: object[]) =>
  JSON.stringify(parts.map((part) => ({ entity_type: 'SPOILER', ...part })));
const text = (value = 'Hello') => ({ media_type: 'TEXT', text: value });

describe('login', () => {
  it.each([
    ['the Meta app’s id', { client_id: '1' }],
    ['an http address', { redirect_uri: 'http://herald.example/cb' }],
    ['no threads_basic', { scope: 'threads_content_publish' }],
    ['an unknown scope', { scope: 'threads_basic,sparkle' }],
  ])('refuses %s', async (_what, wrong) => {
    expect((await authorize(wrong)).status).toBe(400);
  });

  it('appends #_ to the redirect address', async () => {
    expect((await authorize()).headers.get('location')).toMatch(/#_$/);
  });

  it('returns the user id as a number above 2^53', async () => {
    const answer = await exchange({ code: await code() });
    const id = /"user_id":(\d+)/.exec(answer.text)?.[1];
    expect(String(answer.body['user_id'])).not.toBe(id);
  });

  it('accepts a code once, with the redirect address it was issued for', async () => {
    const used = await code();
    await exchange({ code: used });
    expect((await exchange({ code: used })).status).toBe(400);
    expect((await exchange({ code: await code(), redirect_uri: 'https://a' })).status).toBe(400);
  });

  it('refreshes no token that is less than a day old or expired', async () => {
    const refresh = () => get('refresh_access_token', { grant_type: 'th_refresh_token' });
    clock.time += 86_399_000;
    expect(codeOf(await refresh())).toBe('100');
    clock.time += 1_000;
    expect((await refresh()).status).toBe(200);
    clock.time += 60 * 86_400_000;
    expect(codeOf(await refresh())).toBe('190/463');
  });

  it('shows the scopes of a token', async () => {
    token = await longToken({ declined: 'threads_read_replies' });
    const { body } = await get('v1.0/debug_token', { input_token: token });
    expect(body['data']).toMatchObject({
      is_valid: true,
      scopes: ['threads_basic', 'threads_content_publish', 'threads_manage_replies'],
    });
  });
});

describe('containers', () => {
  it.each<[string, Fields]>([
    ['no media type', { text: 'a' }],
    ['an empty text', { media_type: 'TEXT' }],
    ['501 characters', text('a'.repeat(501))],
    ['126 emoji', text('👍'.repeat(126))],
    ['six links', text([1, 2, 3, 4, 5, 6].map((number) => `https://a.example/${number}`).join(' '))],
    ['an image without its address', { media_type: 'IMAGE' }],
    ['a topic with a full stop', { ...text(), topic_tag: 'a.b' }],
    [
      'a link with an image',
      { media_type: 'IMAGE', image_url: 'https://a.example/', link_attachment: 'https://b.example/' },
    ],
    ['a carousel with one child', { media_type: 'CAROUSEL', children: '1' }],
    ['hidden media without media', { ...text(), is_spoiler_media: 'true' }],
    [
      'hidden media of one item of a carousel',
      {
        media_type: 'IMAGE',
        image_url: 'https://a.example/',
        is_carousel_item: 'true',
        is_spoiler_media: 'true',
      },
    ],
    ['a hidden part outside the text', { ...text(), text_entities: entities({ offset: 4, length: 2 }) }],
    ['a hidden part without a length', { ...text(), text_entities: entities({ offset: 4 }) }],
    [
      'eleven hidden parts',
      { ...text(), text_entities: entities(...Array(11).fill({ offset: 0, length: 1 })) },
    ],
    ['a poll of one option', { ...text(), poll_attachment: JSON.stringify({ option_a: 'a' }) }],
    ['a poll with a gap', { ...text(), poll_attachment: JSON.stringify({ option_a: 'a', option_c: 'c' }) }],
    [
      'a poll with an option of 26 characters',
      { ...text(), poll_attachment: JSON.stringify({ option_a: 'a', option_b: 'b'.repeat(26) }) },
    ],
    [
      'a poll with an image',
      {
        media_type: 'IMAGE',
        image_url: 'https://a.example/',
        poll_attachment: JSON.stringify({ option_a: 'a', option_b: 'b' }),
      },
    ],
    ['reply approvals that are neither true nor false', { ...text(), enable_reply_approvals: 'yes' }],
    ['a quote of a post that does not exist', { ...text(), quote_post_id: '18000' }],
  ])('are refused for %s', async (_what, fields) => {
    expect(codeOf(await post('me/threads', fields))).toBe('100');
  });

  it('cannot be published before they are finished, twice, or after a day', async () => {
    const id = await container(text());
    expect(codeOf(await publish(id))).toBe('24/4279009');
    clock.time += 1_000;
    expect((await publish(id)).status).toBe(200);
    expect(codeOf(await publish(id))).toBe('24/4279009');
    expect((await get(`v1.0/${id}`, { fields: 'status' })).body['status']).toBe('PUBLISHED');
    const late = await container(text());
    clock.time += 86_400_000;
    expect(codeOf(await publish(late))).toBe('24/4279009');
  });

  it('can be published twice, or be finished and lost, if the settings say so', async () => {
    const id = await ready(text());
    await publish(id);
    await set('settings', { publishesAgain: true, losesContainers: true });
    expect((await publish(id)).status).toBe(200);
    const lost = await ready(text());
    expect((await get(`v1.0/${lost}`, { fields: 'status' })).body['status']).toBe('FINISHED');
    expect(codeOf(await publish(lost))).toBe('24/4279009');
  });

  it('of a carousel need finished children', async () => {
    const url = media.url('image.jpg');
    const child = { media_type: 'IMAGE', image_url: url, is_carousel_item: 'true' };
    const early = await container(child);
    const fields = (ids: string[]) => ({ media_type: 'CAROUSEL', children: ids.join(',') });
    expect(codeOf(await post('me/threads', fields([early, await ready(child)])))).toBe('');
    const unfinished = await container(child);
    expect(codeOf(await post('me/threads', fields([early, unfinished])))).toBe('24/4279004');
  });

  const json = (value: object) => JSON.stringify(value);
  it.each<[string, Fields]>([
    ['a GIF of an unknown provider', { gif_attachment: json({ gif_id: 'a', provider: 'TENOR' }) }],
    [
      'a text attachment without a text',
      { text_attachment: json({ link_attachment_url: 'https://a.example' }) },
    ],
    [
      'a text attachment beside a poll',
      {
        text_attachment: json({ plaintext: 'Long' }),
        poll_attachment: json({ option_a: 'a', option_b: 'b' }),
      },
    ],
    [
      'a second attached link',
      {
        text_attachment: json({ plaintext: 'Long', link_attachment_url: 'https://a.example' }),
        link_attachment: 'https://b.example',
      },
    ],
    ['a ghost post with a topic', { is_ghost_post: 'true', topic_tag: 'Coffee' }],
  ])('with %s are refused', async (_what, fields) => {
    const { status } = await post('me/threads', { ...text(), ...fields });
    expect(status).toBe(400);
  });

  it('silently ignore the optional parameters of a JSON body', async () => {
    const { body } = await send('graph.threads.net/v1.0/me/threads', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...text(), topic_tag: 'Coffee' }),
    });
    clock.time += 1_000;
    await publish(String(body['id']));
    const posts = (await (await fetch(`${simulator.control}/posts`)).json()) as { details: object }[];
    expect(posts[0]?.details).toEqual({ media_type: 'TEXT_POST' });
  });

  const outcomeOf = async (name: string) => {
    const url = media.url('video.mp4').replace('video.mp4', name);
    const id = await ready({ media_type: 'VIDEO', video_url: url });
    const { body } = await get(`v1.0/${id}`, { fields: 'status,error_message' });
    return body['error_message'] ?? body['status'];
  };

  it.each([
    ['missing.mp4', 'FAILED_DOWNLOADING_VIDEO'],
    ['media-corpus/mp3-sound.mp4', 'FAILED_PROCESSING_AUDIO'],
    ['media-corpus/96-khz.mp4', 'FAILED_PROCESSING_AUDIO'],
    ['media-corpus/surround.mp4', 'INVALID_AUDIO_CHANNELS'],
    ['media-corpus/chroma-422.mp4', 'FAILED_PROCESSING_VIDEO'],
    ['media-corpus/interlaced.mp4', 'FAILED_PROCESSING_VIDEO'],
    ['media-corpus/prores.mov', 'FAILED_PROCESSING_VIDEO'],
    ['media-corpus/cut-advised.mp4', 'FAILED_PROCESSING_VIDEO'],
    ['media-corpus/slow.mp4', 'INVALID_FRAME_RATE'],
    ['media-corpus/screen-4k.mp4', 'INVALID_ASPEC_RATIO'],
    ['media-corpus/plain.mov', 'FINISHED'],
    ['media-corpus/fragmented.mp4', 'FINISHED'],
  ])('with %s end with %s', async (name, outcome) => {
    expect(await outcomeOf(name)).toBe(outcome);
  });

  it.each(['moov-last.mp4', 'edit-list.mp4'])(
    'with %s fail only if Threads insists on its advice',
    async (name) => {
      expect(await outcomeOf(name)).toBe('FINISHED');
      await set('settings', { refusesUnadvisedVideos: true });
      expect(await outcomeOf(name)).toBe('FAILED_PROCESSING_VIDEO');
      await set('settings', { refusesUnadvisedVideos: false });
    },
  );
});

describe('posts', () => {
  const live = async (fields: Fields) => String((await publish(await ready(fields))).body['id']);

  it('have no status field', async () => {
    const id = await live(text());
    const answer = await get(`v1.0/${id}`, { fields: 'status' });
    expect([codeOf(answer), answer.text]).toEqual(['100', expect.stringContaining('nonexisting field')]);
  });

  it('are trimmed', async () => {
    const id = await live(text(' Hello \n'));
    expect((await get(`v1.0/${id}`, { fields: 'text,media_type' })).body).toEqual({
      id,
      text: 'Hello',
      media_type: 'TEXT_POST',
    });
  });

  it('cannot be replied to immediately, and replies are listed separately', async () => {
    await set('settings', { replyDelaySeconds: 30 });
    const id = await live(text());
    const reply = await ready({ ...text('First'), reply_to_id: id });
    expect(codeOf(await publish(reply))).toBe('24/4279009');
    clock.time += 30_000;
    expect((await publish(reply)).status).toBe(200);
    const list = (edge: string, fields: string) => get(`v1.0/me/${edge}`, { fields });
    expect((await list('threads', 'text')).body['data']).toMatchObject([{ text: 'Hello' }]);
    expect(codeOf(await list('threads', 'text,replied_to'))).toBe('100');
    expect((await list('replies', 'text,replied_to')).body['data']).toMatchObject([
      { text: 'First', replied_to: { id } },
    ]);
  });

  it('are limited by the daily quota, which can be read; replies have their own', async () => {
    await set('limits', { posts: 1, replies: 1 });
    const id = await live(text());
    expect(codeOf(await publish(await ready(text('Second'))))).toBe('9/2207042');
    expect((await publish(await ready({ ...text('Reply'), reply_to_id: id }))).status).toBe(200);
    const { body } = await get('v1.0/me/threads_publishing_limit', {
      fields: 'quota_usage,config,reply_quota_usage',
    });
    expect(body['data']).toEqual([
      { quota_usage: 1, config: { quota_total: 1, quota_duration: 86_400 }, reply_quota_usage: 1 },
    ]);
  });
});

it.each([
  ['v2.0/me', {}, '2500'],
  ['v1.0/me', { access_token: 'guess' }, '190'],
  ['v1.0/17920000000000999', {}, '24/4279009'],
])('a read of %s %j is refused with %s', async (path, fields, expected) => {
  expect(codeOf(await get(path, fields))).toBe(expected);
});

it('keeps its state across a restart, and restarts interrupted fetches', async () => {
  const url = media.url('video.mp4');
  const id = await container({ media_type: 'VIDEO', video_url: url });
  await simulator.stop();
  simulator = await startSimulator({ definition, dataDirectory: directory, clock, port: 0 });
  clock.time += 10_000;
  await expect
    .poll(async () => (await get(`v1.0/${id}`, { fields: 'status' })).body['status'])
    .toBe('FINISHED');
});
