import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Account, type Fields, type Fixture, openFixture } from './fixture.ts';

let instagram: Fixture;
let account: Account;
beforeEach(async () => {
  instagram = await openFixture();
  account = await instagram.connect();
});
afterEach(() => instagram.close());

const image = (): Fields => ({ image_url: instagram.media.url('image.jpg'), caption: 'Kept' });
const me = () => instagram.get('v25.0/me', { access_token: account.token });

describe('usage headers', () => {
  it('show the used share of the hourly calls, for the app and for the account', async () => {
    await instagram.control('PUT', 'limits', { callsPerHour: 10 });
    await me();
    const { headers } = await me();
    const figures = { call_count: 30, total_cputime: 30, total_time: 30 };
    expect(JSON.parse(headers.get('x-app-usage') ?? '')).toEqual(figures);
    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? '')).toEqual({
      [account.id]: [{ type: 'instagram', ...figures, estimated_time_to_regain_access: 0 }],
    });
  });

  it('reach 100 %, and calls are refused with code 4 and HTTP 400 until the next hour', async () => {
    await instagram.control('PUT', 'limits', { callsPerHour: 2 });
    await me();
    const { status, body, headers } = await me();
    expect([status, body.error.code]).toEqual([400, 4]);
    const usage = JSON.parse(headers.get('x-business-use-case-usage') ?? '');
    expect(usage[account.id]).toMatchObject([{ call_count: 100, estimated_time_to_regain_access: 5 }]);
    instagram.advance(3600);
    expect((await me()).status).toBe(200);
  });

  it('are the same for a planned rate limit', async () => {
    await instagram.set({ regainAccessMinutes: 42 });
    await instagram.fault('me', 'rate-limit');
    const { status, body, headers } = await me();
    expect([status, body.error.code]).toEqual([400, 4]);
    expect(headers.get('x-app-usage')).toContain('100');
    expect(headers.get('x-business-use-case-usage')).toContain('"estimated_time_to_regain_access":42');
  });
});

describe('planned errors', () => {
  it.each([
    { code: '190', status: 400, error: { code: 190, type: 'OAuthException' } },
    { code: '9004/2207052', status: 400, error: { code: 9004, error_subcode: 2207052 } },
    { code: '2', status: 400, error: { code: 2, is_transient: true } },
    { code: '77777/1', status: 400, error: { code: 77_777, error_subcode: 1 } },
    { code: '500', status: 500, error: { code: 2, is_transient: true } },
    { code: '503', status: 503, error: { code: 2, is_transient: true } },
    { code: '403', status: 403, error: { code: 1 } },
    { code: '-2/2207003', status: 400, error: { code: -2, error_subcode: 2207003 } },
  ])('$code has HTTP status $status and the Graph body', async ({ code, status, error }) => {
    await instagram.fault('me', `error:${code}`);
    const answer = await me();
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject(error);
    expect((await me()).status).toBe(200);
  });

  it('have the login’s error format at the token endpoint', async () => {
    await instagram.fault('oauth/access_token', 'error:500');
    const { status, body } = await instagram.exchangeCode({});
    expect([status, body]).toEqual([
      500,
      { error_type: 'OAuthException', code: 500, error_message: expect.any(String) },
    ]);
  });
});

it('names every operation as the platform does, and keeps secrets out of the log', async () => {
  const id = await instagram.live(account, image());
  await instagram.get(`v25.0/${id}`, { access_token: account.token });
  await instagram.get(`v25.0/${account.id}/media`, { access_token: account.token });
  await instagram.get('v25.0/999', { access_token: account.token });
  const requests = await instagram.requests();
  expect([...new Set(requests.map(({ operation }) => operation))]).toEqual([
    'authorize',
    'oauth/access_token',
    'access_token',
    'me',
    'media',
    'container_status',
    'media_publish',
    'media_object',
    'media_list',
    'object',
  ]);
  expect(JSON.stringify(requests)).not.toContain(account.token);
  expect(JSON.stringify(requests)).not.toContain('app-secret');
});

describe('the picture of a post', () => {
  it('is a JPEG at the address that the post names, and nothing is at any other', async () => {
    const id = await instagram.live(account, image());
    const { body } = await instagram.get(`v25.0/${id}`, { fields: 'media_url', access_token: account.token });
    const at = (address: string) => fetch(instagram.url(address.replace('https://', '')));
    const address = String(body['media_url']);
    const answer = await at(address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(await answer.arrayBuffer()).toString('hex')).toMatch(/^ffd8ff.*ffd9$/);
    expect((await at(address.replace(id, '1'))).status).toBe(404);
  });
});

describe('a restart', () => {
  it('keeps posts, tokens, containers, users and revocations', async () => {
    const ready = await instagram.ready(account, image());
    const other = await instagram.connect('northlight');
    await instagram.control('POST', 'revoke', { username: 'northlight' });
    await instagram.live(account, image());
    const posts = await instagram.posts();
    await instagram.restart();
    expect(await instagram.posts()).toEqual(posts);
    expect((await instagram.publish(account, ready)).status).toBe(200);
    expect((await instagram.connect()).id).toBe(account.id);
    const dead = await instagram.get('v25.0/me', { access_token: other.token });
    expect(dead.body.error).toMatchObject({ code: 190, error_subcode: 460 });
  });

  it('does not make a used code valid again', async () => {
    const form = instagram.codeForm(await instagram.code('northlight'));
    await instagram.exchangeCode(form);
    await instagram.restart();
    expect((await instagram.exchangeCode(form)).status).toBe(400);
  });

  it('restarts the interrupted fetch of a video', async () => {
    const video = { media_type: 'REELS', video_url: instagram.media.url('held.mp4') };
    const { body } = await instagram.create(account, video);
    await expect.poll(() => instagram.media.held.length).toBe(1);
    await instagram.restart();
    await expect.poll(() => instagram.media.held.length).toBe(2);
    for (const release of instagram.media.held) release();
    expect(await instagram.processed(account, body.id)).toMatchObject({ status_code: 'FINISHED' });
  });
});
