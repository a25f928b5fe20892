import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchMedia, measureMedia } from '../../../kit/media/media-intake.ts';
import { mp4Scanner } from '../../../kit/media/mp4.ts';
import { readMedia } from '../../support/media.ts';

async function* inChunks(bytes: Buffer, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

const measure = async (name: string, chunkBytes = 1000) =>
  measureMedia(inChunks(await readMedia(name), chunkBytes), 'application/octet-stream');

describe('measuring a file', () => {
  it('counts and hashes a stream', async () => {
    const bytes = await readMedia('video.mp4');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await measure('video.mp4')).toMatchObject({ bytes: bytes.length, sha256 });
  });

  it.each([
    { name: 'image.jpg', jpeg: { width: 1080, height: 1350, multiPicture: false } },
    { name: 'square.jpg', jpeg: { width: 1080, height: 1080, multiPicture: false } },
    { name: 'tall.jpg', jpeg: { width: 200, height: 400, multiPicture: false } },
    { name: 'image.png', jpeg: undefined },
    { name: 'broken.jpg', jpeg: undefined },
    { name: 'video.mp4', jpeg: undefined },
  ])('reads $name as the JPEG $jpeg', async ({ name, jpeg }) => {
    expect((await measure(name)).jpeg).toEqual(jpeg);
  });

  it('reads the tracks of a video', async () => {
    expect((await measure('video.mp4')).mp4).toEqual({
      brand: 'isom',
      moovFirst: true,
      hasEditList: false,
      durationSeconds: expect.closeTo(6, 1),
      video: {
        codec: 'avc1',
        width: 360,
        height: 640,
        framesPerSecond: expect.closeTo(30, 0),
        chroma: '4:2:0',
        isInterlaced: false,
      },
      audio: { codec: 'mp4a', sampleRate: 44_100, channels: 1 },
    });
  });

  it.each([
    { name: 'moov-last.mp4', moovFirst: false, hasEditList: false },
    { name: 'edit-list.mp4', moovFirst: true, hasEditList: true },
    { name: 'two-seconds.mp4', moovFirst: true, hasEditList: false },
  ])('reads the layout of $name', async ({ name, moovFirst, hasEditList }) => {
    expect((await measure(name)).mp4).toMatchObject({ moovFirst, hasEditList });
  });

  it('reads a last box that is empty or lasts to the end of the file', async () => {
    const bytes = await readMedia('video.mp4');
    const withEmptyBox = Buffer.concat([bytes, Buffer.from([0, 0, 0, 8]), Buffer.from('free')]);
    const openEnded = Buffer.from(bytes);
    openEnded.writeUInt32BE(0, bytes.indexOf('mdat') - 4);
    for (const file of [withEmptyBox, openEnded]) {
      const { mp4 } = await measureMedia(inChunks(file, 1000), 'video/mp4');
      expect(mp4).toMatchObject({ moovFirst: true, hasEditList: false });
    }
  });

  it('reads the same facts however the file is cut into chunks', async () => {
    const whole = (await measure('video.mp4', 1_000_000)).mp4;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40_000 }), async (size) => {
        expect((await measure('video.mp4', size)).mp4).toEqual(whole);
      }),
      { numRuns: 15 },
    );
  });

  it('does not accept a video that is cut short', async () => {
    const bytes = await readMedia('video.mp4');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        expect(
          (await measureMedia(inChunks(bytes.subarray(0, length), 4096), 'video/mp4')).mp4,
        ).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it('never throws if the movie header is random bytes', async () => {
    const bytes = await readMedia('video.mp4');
    const flip = fc.tuple(fc.integer({ min: 32, max: 6400 }), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(flip, { maxLength: 20 }), (flips) => {
        const damaged = Buffer.from(bytes);
        for (const [position, value] of flips) damaged[position] = value;
        const scanner = mp4Scanner();
        scanner.write(damaged);
        scanner.facts();
      }),
    );
  });
});

describe('fetching a file by its address', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    robots = '';
  });

  let robots = '';
  const never = new AbortController().signal;
  const get = (url: string, timeoutSeconds = 5) =>
    fetchMedia(url, { userAgent: 'facebookexternalhit/1.1', timeoutSeconds, stop: never });

  async function serve(...answer: [status: number, headers: Record<string, string>, body?: string]) {
    const seen: (string | undefined)[] = [];
    server = createServer((request, response) => {
      if (request.url === '/robots.txt') return response.end(robots);
      seen.push(request.headers['user-agent']);
      const [status, headers, body] = answer;
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`, seen };
  }

  it('sends its user agent and measures the file', async () => {
    const { url, seen } = await serve(200, { 'content-type': 'text/plain; charset=utf-8' }, 'hello');
    expect(await get(url)).toMatchObject({ ok: true, media: { type: 'text/plain', bytes: 5 } });
    expect(seen).toEqual(['facebookexternalhit/1.1']);
  });

  it.each([
    { case: 'a redirect', status: 302, headers: { location: '/other', 'content-type': 'image/jpeg' } },
    { case: 'a missing file', status: 404, headers: { 'content-type': 'image/jpeg' } },
    { case: 'a forbidden file', status: 403, headers: { 'content-type': 'image/jpeg' } },
    { case: 'part of a file', status: 206, headers: { 'content-type': 'image/jpeg' } },
    { case: 'no content type', status: 200, headers: {} },
  ])('refuses $case', async ({ status, headers }) => {
    const { url } = await serve(status, headers as Record<string, string>, 'x');
    expect(await get(url)).toMatchObject({ ok: false, problem: 'refused' });
  });

  it.each([
    'http://example.com/a.jpg',
    'ftp://127.0.0.1/a.jpg',
    'http://user:secret@127.0.0.1/a.jpg',
    'http://127.0.0.1/ä.jpg',
    'http://127.0.0.1/a b.jpg',
    'a.jpg',
    '',
    'http://127.0.0.1:1/closed.jpg',
  ])('refuses %j', async (url) => {
    expect(await get(url)).toMatchObject({ ok: false, problem: 'refused' });
  });

  it('respects robots.txt', async () => {
    robots = 'User-agent: *\nAllow: /\n\nUser-agent: facebookexternalhit\nDisallow: /file';
    const { url, seen } = await serve(200, { 'content-type': 'image/jpeg' }, 'x');
    expect(await get(url)).toMatchObject({ ok: false, reason: 'forbidden by robots.txt' });
    expect(seen).toEqual([]);
  });

  it('gives up on a server that does not answer', async () => {
    server = createServer(() => {});
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await get(`http://127.0.0.1:${port}/`, 0.05)).toMatchObject({ ok: false, problem: 'timeout' });
  });
});
