import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  app,
  authorizeUrl,
  connect,
  control,
  type Fixture,
  get,
  openFixture,
  planFault,
  postForm,
  posts,
  readBody,
  reasonOf,
} from './support.ts';
import { askStatus, bytesOf, openSession, putChunk, startUpload } from './upload-client.ts';

let fixture: Fixture;
let token: string;
let refreshToken: string;
beforeEach(async () => {
  fixture = await openFixture();
  ({ access_token: token, refresh_token: refreshToken } = await connect(fixture));
});
afterEach(() => fixture.close());

const file = bytesOf(1000);
const finish = (session: string) => putChunk(session, token, file, 0, file.length);

/** One call of each operation, by its name for faults. */
const calls: Readonly<Record<string, () => Promise<Response>>> = {
  authorize: () => fetch(authorizeUrl(fixture), { redirect: 'manual' }),
  token: () =>
    postForm(fixture, 'token', {
      client_id: app.id,
      client_secret: app.secret,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    }),
  revoke: () => postForm(fixture, 'revoke', { token }),
  'channels.list': () => get(fixture, token, 'channels?part=snippet&mine=true'),
  'videos.list': () => get(fixture, token, 'videos?part=status&id=x'),
  'playlistItems.list': () => get(fixture, token, 'playlistItems?part=snippet&playlistId=UUx'),
  'thumbnails.set': () =>
    fetch(`${fixture.simulator.url}/www.googleapis.com/upload/youtube/v3/thumbnails/set`, {
      method: 'POST',
      redirect: 'manual',
      body: 'image',
    }),
  'videos.insert': () => startUpload(fixture, token),
  'videos.insert.start': () => startUpload(fixture, token),
  'videos.insert.chunk': async () => finish(await openSession(fixture, token)),
  'videos.insert.status': async () => askStatus(await openSession(fixture, token), token, 1000),
};

describe.each(Object.entries(calls))('a faulty %s', (name, call) => {
  it.each([
    ['html', (body: string) => body.startsWith('<!DOCTYPE html>')],
    ['empty', (body: string) => body === ''],
    ['ok-with-error', (body: string) => 'error' in JSON.parse(body)],
  ])('answers 200 with %s', async (fault, holds) => {
    await planFault(fixture, name, fault);
    const response = await call();
    expect(response.status).toBe(200);
    expect(await response.text()).toSatisfy(holds);
  });

  it('answers half of a JSON body', async () => {
    await planFault(fixture, name, 'half-json');
    const text = await (await call()).text();
    if (text.startsWith('{')) expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it.each(['slow-body', 'huge-body'])('starts a %s', async (fault) => {
    await planFault(fixture, name, fault);
    const reader = (await call()).body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });

  it('answers the planned status', async () => {
    await planFault(fixture, name, 'error:503');
    expect((await call()).status).toBe(503);
  });

  it('closes the connection', async () => {
    await planFault(fixture, name === 'videos.insert' ? '*' : name, 'drop-reply');
    await expect(call()).rejects.toThrow();
  });
});

describe('a planned fault', () => {
  it.each([
    ['videos.insert', 'error:quotaExceeded', '403 quotaExceeded'],
    ['videos.insert', 'error:uploadLimitExceeded', '400 uploadLimitExceeded'],
    ['videos.insert', 'rate-limit', '403 rateLimitExceeded'],
    ['thumbnails.set', 'rate-limit', '429 uploadRateLimitExceeded'],
    ['channels.list', 'error:youtubeSignupRequired', '401 youtubeSignupRequired'],
    ['videos.list', 'error:somethingNew', '400 somethingNew'],
    ['videos.insert', 'expire-token', '401 authError'],
  ])('for %s of %s answers %s', async (name, fault, reason) => {
    await planFault(fixture, name, fault);
    expect(await reasonOf((await calls[name]?.()) ?? Response.error())).toBe(reason);
  });

  it.each([
    ['error:invalid_grant', 400, 'invalid_grant'],
    ['error:invalid_client', 401, 'invalid_client'],
    ['rate-limit', 403, 'rate_limit_exceeded'],
  ])('for the token endpoint of %s answers with an OAuth error', async (fault, status, error) => {
    await planFault(fixture, 'token', fault);
    const response = await calls['token']?.();
    expect(response?.status).toBe(status);
    expect(await readBody(response ?? Response.error())).toMatchObject({ error });
  });

  it('that loses the answer of videos.insert applies to the PUT that makes the video live', async () => {
    await planFault(fixture, 'videos.insert', 'drop-reply');
    const session = await openSession(fixture, token);
    await expect(finish(session)).rejects.toThrow();
    expect(await posts(fixture)).toHaveLength(1);
    expect((await askStatus(session, token, 1000)).status).toBe(200);
  });

  it('of timeout for videos.insert does not store the last chunk', async () => {
    await planFault(fixture, 'videos.insert', 'timeout');
    const session = await openSession(fixture, token);
    const headers = { authorization: `Bearer ${token}` };
    const caller = new AbortController();
    const put = fetch(session, { method: 'PUT', headers, body: new Uint8Array(file), signal: caller.signal });
    // The fault is used up once the whole chunk has arrived.
    await expect.poll(() => control(fixture, 'GET', 'faults')).toEqual([]);
    setTimeout(() => caller.abort(new Error('gone')), 50);
    await expect(put).rejects.toThrow('gone');
    expect((await askStatus(session, token, 1000)).status).toBe(308);
    expect(await posts(fixture)).toEqual([]);
    expect((await finish(session)).status).toBe(200);
  });

  it('is in the request log, with the name of each call', async () => {
    await control(fixture, 'DELETE', 'faults');
    await planFault(fixture, 'videos.insert.chunk', 'error:503');
    const session = await openSession(fixture, token);
    await finish(session);
    await askStatus(session, token, 1000);
    const log = await control<{ operation: string; status: number }[]>(fixture, 'GET', 'requests');
    expect(log.slice(-3).map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'videos.insert 200',
      'videos.insert.chunk 503',
      'videos.insert.status 308',
    ]);
  });
});
