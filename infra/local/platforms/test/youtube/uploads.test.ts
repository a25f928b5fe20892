import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMedia } from '../support/media.ts';
import {
  connect,
  control,
  day,
  type Fixture,
  hour,
  openFixture,
  planFault,
  posts,
  readBody,
  reasonOf,
} from './support.ts';
import {
  askStatus,
  bytesOf,
  grain,
  openSession,
  putChunk,
  sha256,
  uploadVideo,
  type VideoResource,
} from './upload-client.ts';

let fixture: Fixture;
let token: string;
beforeEach(async () => {
  fixture = await openFixture();
  token = (await connect(fixture)).access_token;
});
afterEach(() => fixture.close());

const file = bytesOf(2 * grain + 1000);
const total = file.length;
const begin = () => openSession(fixture, token, { bytes: total });
const put = (session: string, first: number, end: number) =>
  putChunk(session, token, file.subarray(first, end), first, total);

/** Returns the status and the stored range, such as `308 bytes=0-262143`. */
const outcome = (response: Response) => `${response.status} ${response.headers.get('range')}`;

/**
 * Announces the whole file, sends only the first `sent` bytes, waits until they are on disk, and then hangs.
 * `breakOff` closes the connection; `ended` resolves when it is closed.
 */
async function hangAfter(session: string, sent: number) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-length': total,
    'content-range': `bytes 0-${total - 1}/${total}`,
  };
  const hanging = request(session, { method: 'PUT', headers });
  const ended = new Promise<void>((resolve) => hanging.on('error', () => resolve()));
  hanging.write(file.subarray(0, sent));
  await expect.poll(() => fixture.bytesOnDisk(), { interval: 5 }).toBe(sent);
  return { ended, breakOff: () => hanging.destroy(new Error('cut')) };
}

describe('an upload session', () => {
  it('accepts the file in chunks and creates the video with the last one', async () => {
    const session = await begin();
    expect(outcome(await askStatus(session, token, total))).toBe('308 null');
    expect(outcome(await put(session, 0, grain))).toBe(`308 bytes=0-${grain - 1}`);
    expect(outcome(await askStatus(session, token, '*'))).toBe(`308 bytes=0-${grain - 1}`);
    expect(outcome(await put(session, grain, 2 * grain))).toBe(`308 bytes=0-${2 * grain - 1}`);
    expect(await posts(fixture)).toEqual([]);

    fixture.clock.time += 5000;
    const response = await put(session, 2 * grain, total);
    expect(response.status).toBe(200);
    const video = await readBody<VideoResource>(response);
    expect(video).toMatchObject({
      kind: 'youtube#video',
      id: expect.stringMatching(/^[\w-]{11}$/),
      snippet: { title: 'A boat', channelId: expect.stringMatching(/^UC[\w-]{22}$/) },
      status: { uploadStatus: 'uploaded', privacyStatus: 'public' },
    });
    expect(await posts(fixture)).toEqual([
      {
        id: video.id,
        accountId: expect.stringMatching(/^UC/),
        permalink: `https://www.youtube.com/watch?v=${video.id}`,
        content: 'It floats',
        title: 'A boat',
        tags: ['sea', 'wind'],
        privacyStatus: 'public',
        isShort: false,
        media: [{ type: 'video/mp4', bytes: total, sha256: sha256(file) }],
        publishedAt: fixture.clock.time,
        viewableAt: fixture.clock.time + 10_000,
      },
    ]);
  });

  it('answers every later PUT with the same video', async () => {
    const session = await begin();
    const { id } = await readBody<VideoResource>(await put(session, 0, total));
    const calls = [
      () => askStatus(session, token, total),
      () => put(session, 0, total),
      () => put(session, 0, grain),
    ];
    for (const again of calls) {
      const response = await again();
      expect(response.status).toBe(200);
      expect(await readBody(response)).toMatchObject({ id });
    }
    expect(await posts(fixture)).toHaveLength(1);
  });

  it('may answer 308 with its whole range before it names its video', async () => {
    await control(fixture, 'PUT', 'settings', { completionSeconds: 30 });
    const session = await begin();
    expect(outcome(await put(session, 0, total))).toBe(`308 bytes=0-${total - 1}`);
    expect(outcome(await askStatus(session, token, total))).toBe(`308 bytes=0-${total - 1}`);
    fixture.clock.time += 30_000;
    expect((await askStatus(session, token, total)).status).toBe(200);
    expect(await posts(fixture)).toHaveLength(1);
  });

  it('accepts the whole file in one PUT without a range', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(await begin(), { method: 'PUT', headers, body: new Uint8Array(file) });
    expect(response.status).toBe(200);
    expect((await posts(fixture))[0]?.media[0]?.sha256).toBe(sha256(file));
  });

  it('recognizes a real video', async () => {
    const video = await readMedia('video.mp4');
    await uploadVideo(fixture, token, { file: video });
    expect(await posts(fixture)).toMatchObject([
      { isShort: true, media: [{ bytes: video.length, sha256: sha256(video) }] },
    ]);
  });

  it.each([
    ['begins after the stored bytes', 2 * grain, total],
    ['begins before the end of the stored bytes', 0, grain],
  ])('answers 308 with the stored range to a chunk that %s', async (_, first, end) => {
    const session = await begin();
    await put(session, 0, grain);
    expect(outcome(await put(session, first, end))).toBe(`308 bytes=0-${grain - 1}`);
  });

  it.each([
    ['a chunk that is not a multiple of 256 KiB', 'bytes 0-999/*', 1000],
    ['another total', `bytes 0-${grain - 1}/${total + 1}`, grain],
    ['a range beyond the total', `bytes ${total}-${total + grain - 1}/*`, grain],
    ['a length that differs from the range', `bytes 0-${2 * grain - 1}/*`, grain],
    ['a reversed range', 'bytes 9-0/*', grain],
    ['another unit', 'kilobytes 0-1/2', grain],
    ['a status query with a body', 'bytes */*', grain],
  ])('refuses %s', async (_, contentRange, length) => {
    const session = await begin();
    const range = contentRange.replace('/*', `/${total}`);
    const headers = { authorization: `Bearer ${token}`, 'content-range': range };
    const body = new Uint8Array(file.subarray(0, length));
    expect(await reasonOf(await fetch(session, { method: 'PUT', headers, body }))).toBe('400 badRequest');
    expect(outcome(await askStatus(session, token, total))).toBe('308 null');
  });

  it('is unknown under another id, and after a week', async () => {
    const session = await begin();
    expect((await askStatus(`${session}x`, token, total)).status).toBe(404);
    fixture.clock.time += 7 * day - 1;
    token = (await connect(fixture)).access_token;
    expect((await askStatus(session, token, total)).status).toBe(308);
    fixture.clock.time += 1;
    expect(await reasonOf(await put(session, 0, total))).toBe('404 notFound');
  });

  it('needs a valid token for each chunk, and continues with a new one', async () => {
    const session = await begin();
    await put(session, 0, grain);
    fixture.clock.time += hour;
    expect(await reasonOf(await put(session, grain, total))).toBe('401 authError');
    token = (await connect(fixture)).access_token;
    expect((await put(session, grain, total)).status).toBe(200);
  });

  it('belongs to the user who opened it', async () => {
    const session = await begin();
    const other = await connect(fixture, 'bob');
    expect(await reasonOf(await askStatus(session, other.access_token, total))).toBe('403 forbidden');
  });

  it('keeps whole units of an interrupted chunk, and continues after them', async () => {
    const session = await begin();
    const { breakOff, ended } = await hangAfter(session, grain + 5000);
    breakOff();
    await ended;
    expect(outcome(await askStatus(session, token, total))).toBe(`308 bytes=0-${grain - 1}`);
    expect((await put(session, grain, total)).status).toBe(200);
    expect((await posts(fixture))[0]?.media[0]?.sha256).toBe(sha256(file));
  });

  it('closes an earlier, hanging connection as soon as the client makes a new request', async () => {
    const session = await begin();
    const { ended } = await hangAfter(session, grain + 5000);
    expect(outcome(await askStatus(session, token, total))).toBe(`308 bytes=0-${grain - 1}`);
    await ended;
    expect((await put(session, grain, total)).status).toBe(200);
    expect((await posts(fixture))[0]?.media[0]?.sha256).toBe(sha256(file));
  });

  it('survives a restart in the middle of an upload', async () => {
    const before = new URL(await begin());
    await put(before.href, 0, grain);
    await fixture.restart();
    const session = `${fixture.simulator.url}${before.pathname}${before.search}`;
    expect(outcome(await askStatus(session, token, total))).toBe(`308 bytes=0-${grain - 1}`);
    expect((await put(session, grain, total)).status).toBe(200);
    await fixture.restart();
    expect(await posts(fixture)).toMatchObject([{ media: [{ bytes: total, sha256: sha256(file) }] }]);
  });

  it('leaves no bytes behind once it has expired', async () => {
    await put(await begin(), 0, grain);
    await fixture.restart();
    expect(await fixture.bytesOnDisk()).toBe(grain);
    fixture.clock.time += 7 * day;
    await fixture.restart();
    expect(await fixture.bytesOnDisk()).toBe(0);
  });

  it('keeps only part of a chunk under the chunk-storage fault', async () => {
    const session = await begin();
    await planFault(fixture, 'chunk-storage', 'error:partial', 2);
    expect(outcome(await put(session, 0, 2 * grain))).toBe(`308 bytes=0-${grain - 1}`);
    expect(outcome(await put(session, grain, total))).toBe(`308 bytes=0-${grain - 1}`);
    expect((await put(session, grain, total)).status).toBe(200);
  });
});

describe('a creator whose settings force private', () => {
  it('gets every upload as private', async () => {
    await control(fixture, 'PUT', 'settings', { forcesPrivate: true });
    const { status } = await uploadVideo(fixture, token);
    expect(status).toMatchObject({ privacyStatus: 'private' });
    expect(await posts(fixture)).toEqual([]);
  });
});
