import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { UploadGrant } from '../../lib/media/operations.ts';
import { MediaView } from '../../lib/media/view.ts';
import { browserTest } from '../support/browser.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { type Client, clientOf, readFixture, until } from './support/client.ts';
import { advanceTo } from './support/clock.ts';

let cloud: CloudVisit;
let client: Client;
visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
});

const presign = async (body: object): Promise<UploadGrant> =>
  UploadGrant.parse((await client.expectStatus(200, 'POST', '/v1/media/presign', body)).json());

const put = (url: string, contentType: string, body: Uint8Array<ArrayBuffer> | string) =>
  fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body });

const read = async (id: string): Promise<MediaView> =>
  z.object({ media: MediaView }).parse((await client.expectStatus(200, 'GET', `/v1/media/${id}`)).json())
    .media;

const arrived = (id: string) =>
  until(
    () => read(id),
    ({ status }) => status !== 'pending',
  );

describe('an upload URL', () => {
  it('accepts only the declared type and size', async () => {
    const { bytes } = readFixture('image.jpg');
    const { uploadUrl } = await presign({ filename: 'a.jpg', size: bytes.length });
    expect((await put(uploadUrl, 'image/png', new Uint8Array(bytes))).status).toBe(403);
    expect((await put(uploadUrl, 'image/jpeg', new Uint8Array(bytes.subarray(1)))).status).toBe(403);
    expect((await put(uploadUrl, 'image/jpeg', new Uint8Array([...bytes, 0]))).status).toBe(403);
    expect((await put(uploadUrl, 'image/jpeg', new Uint8Array(bytes))).status).toBe(200);
  });
});

/** A film of this size: the end of the file is a box that players skip. */
function largeFilm(size: number): Uint8Array<ArrayBuffer> {
  const { bytes } = readFixture('video.mp4');
  const film = new Uint8Array(size);
  film.set(bytes);
  new DataView(film.buffer).setUint32(bytes.length, size - bytes.length);
  film.set(new TextEncoder().encode('free'), bytes.length + 4);
  return film;
}

describe('an upload in parts', () => {
  it('goes on after an interruption, and becomes a file', async () => {
    const film = largeFilm(17 * 1024 ** 2);
    const id = await client.beginInParts('a.mp4', film.length);
    const listed = async () =>
      (await client.expectStatus(200, 'GET', `/v1/media/${id}/parts`)).json() as {
        parts: { uploadUrl: string; offset: number; size: number }[];
        missingCount: number;
      };
    const [, second] = (await listed()).parts;
    if (second === undefined) throw new Error('there is one part only');
    const part = film.slice(second.offset, second.offset + second.size);
    expect((await fetch(second.uploadUrl, { method: 'PUT', body: part.slice(1) })).status).toBe(403);
    expect((await fetch(second.uploadUrl, { method: 'PUT', body: part })).status).toBe(200);
    await client.expectStatus(409, 'POST', `/v1/media/${id}/complete`);
    expect(await client.sendParts(id, film)).toEqual([1, 3]);
    expect((await listed()).missingCount).toBe(0);
    await client.expectStatus(200, 'POST', `/v1/media/${id}/complete`);
    await client.expectStatus(200, 'POST', `/v1/media/${id}/complete`);
    expect(await arrived(id)).toMatchObject({ status: 'ready', sizeBytes: film.length });
  });

  it('ends with the deletion of its file', async () => {
    const id = await client.beginInParts('a.jpg', 1_000);
    const { parts } = (await client.expectStatus(200, 'GET', `/v1/media/${id}/parts`)).json() as {
      parts: { uploadUrl: string }[];
    };
    await client.expectStatus(200, 'DELETE', `/v1/media/${id}`);
    await client.expectStatus(404, 'POST', `/v1/media/${id}/complete`);
    await advanceTo(cloud, cloud.clock.now() + 3 * minuteMs);
    await until(
      () => fetch(parts[0]?.uploadUrl ?? '', { method: 'PUT', body: 'x'.repeat(1_000) }),
      ({ status }) => status === 404 || status === 403,
    );
  });
});

describe('a page on another origin', () => {
  const preflight = (url: string, method: string, headers: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      },
    });

  it('may upload with a content type and read the response', async () => {
    const { uploadUrl } = await presign({ filename: 'a.jpg' });
    const answer = await preflight(uploadUrl, 'PUT', 'content-type');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect((await preflight(uploadUrl, 'DELETE', 'content-type')).status).toBe(403);
    expect((await preflight(uploadUrl, 'PUT', 'x-amz-acl')).status).toBe(403);
  });
});

describe('a file', () => {
  it('is served as soon as it is ready, even if somebody asked for it before', async () => {
    const { bytes } = readFixture('image.jpg');
    const { mediaId, uploadUrl, publicUrl } = await presign({ filename: 'early.jpg' });
    expect((await fetch(publicUrl)).status).toBe(403);
    await put(uploadUrl, 'image/jpeg', new Uint8Array(bytes));
    await arrived(mediaId);
    expect((await fetch(publicUrl)).status).toBe(200);
  });

  it('is probed when it arrives, and then validated against the platforms’ limits', async () => {
    const { bytes } = readFixture('moov-last.mp4');
    const { mediaId, uploadUrl, publicUrl } = await presign({ filename: 'moov-last.mp4' });
    expect(await read(mediaId)).toMatchObject({ status: 'pending', sizeBytes: null, probe: null });
    await put(uploadUrl, 'video/mp4', new Uint8Array(bytes));
    expect(await arrived(mediaId)).toMatchObject({
      status: 'ready',
      sizeBytes: bytes.length,
      probe: { width: 360, height: 640, durationMs: 6_000, videoCodec: 'h264', moovFirst: false },
    });
    const post = (platform: string, more: object = {}) => ({
      content: 'x',
      mediaItems: [{ type: 'video', url: publicUrl }],
      platforms: [{ accountId: client.accountId(platform), ...more }],
      publishNow: true,
    });
    const reel = post('facebook', { platformSpecificData: { contentType: 'reel' } });
    const refusal = await client.expectStatus(400, 'POST', '/v1/posts', reel);
    expect(refusal.json()).toMatchObject({
      error: expect.stringMatching(/^mediaItems\[0\]: .*at least 540 pixels on its shorter side/),
    });
    for (const platform of ['instagram', 'threads']) {
      const adapted = await client.expectStatus(200, 'POST', '/v1/posts/validate', post(platform));
      expect(adapted.json()).toMatchObject({
        valid: true,
        adaptations: [{ field: 'mediaItems[0]', changes: ['index'], contentType: 'video/mp4' }],
      });
    }
  });

  it('is public only once it is accepted, and nothing uploaded later changes what is served or published', async () => {
    const { bytes } = readFixture('image.jpg');
    const { mediaId, uploadUrl, publicUrl } = await presign({ filename: 'image.jpg' });
    const early = await fetch(publicUrl);
    // A browser that shows the URL right after the upload must not keep this answer for an hour.
    expect([early.status, early.headers.get('cache-control')]).toEqual([403, null]);
    const hostile = {
      'cache-control': 'max-age=31536000',
      'content-disposition': 'attachment; filename=a.exe',
    };
    const uploaded = await fetch(uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg', 'content-encoding': 'gzip', ...hostile },
      body: new Uint8Array(bytes),
    });
    expect(uploaded.status).toBe(200);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await arrived(mediaId)).toMatchObject({ status: 'ready', sha256, sizeBytes: bytes.length });

    const other = new Uint8Array(readFixture('moov-last.mp4').bytes);
    expect((await put(uploadUrl, 'image/jpeg', other)).status).toBe(200);
    const publicPath = new URL(publicUrl).pathname;
    const incoming = publicUrl.replace(publicPath, publicPath.replace('/media/', '/incoming/'));
    expect((await fetch(incoming)).status).toBe(403);
    // The second upload's message removes it, and so an upload URL for the same key no longer finds an object.
    await until(
      async () =>
        cloud.functionLines.filter((line) => line.includes(mediaId) && line.includes('a file arrived')),
      (lines) => lines.length >= 2,
    );
    const served = await fetch(publicUrl);
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=3600',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    });
    expect(served.headers.get('content-encoding')).toBeNull();
    expect(await read(mediaId)).toMatchObject({ status: 'ready', sha256, sizeBytes: bytes.length });

    const { id } = await client.createPost({
      content: 'x',
      mediaItems: [{ type: 'image', url: publicUrl }],
      platforms: [{ accountId: client.accountId('threads') }],
      publishNow: true,
    });
    const timeline = () =>
      client
        .expectStatus(200, 'GET', `/v1/posts/${id}/timeline`)
        .then((answer) => answer.json() as { timeline: { event: string; files: unknown[] }[] });
    const { timeline: entries } = await until(timeline, (answer) =>
      answer.timeline.some(({ event }) => event === 'published'),
    );
    expect(entries.find(({ event }) => event === 'going live')?.files).toEqual([
      { mediaId, sha256, renditionId: null },
    ]);
  });

  it('may be posted right after its upload, before it has been inspected', async () => {
    const { bytes } = readFixture('image.jpg');
    const { uploadUrl, publicUrl } = await presign({ filename: 'image.jpg' });
    await put(uploadUrl, 'image/jpeg', new Uint8Array(bytes));
    const { id } = await client.createPost({
      content: 'y',
      mediaItems: [{ type: 'image', url: publicUrl }],
      platforms: [{ accountId: client.accountId('threads') }],
      publishNow: true,
    });
    await until(
      async () =>
        (await client.expectStatus(200, 'GET', `/v1/posts/${id}`)).json() as { post: { status: string } },
      ({ post }) => post.status === 'published',
    );
  });

  it('is invalid and cannot be posted if its content does not match its type', async () => {
    const { mediaId, uploadUrl, publicUrl } = await presign({ filename: 'a.jpg' });
    await put(uploadUrl, 'image/jpeg', '<!DOCTYPE html><script>alert(1)</script>');
    const statusMessage = 'the file is of an unknown type, not image/jpeg';
    expect(await arrived(mediaId)).toMatchObject({ status: 'invalid', statusMessage });
    const post = {
      mediaItems: [{ type: 'image', url: publicUrl }],
      platforms: [{ accountId: client.accountId('instagram') }],
      publishNow: true,
    };
    expect((await client.expectStatus(400, 'POST', '/v1/posts', post)).json()).toMatchObject({
      error: `mediaItems[0].url: the file cannot be used: ${statusMessage}`,
    });
    await until(
      () => fetch(publicUrl),
      ({ ok }) => !ok,
    );
  });

  it('cannot be deleted while a scheduled post uses it, but can once the post is deleted', async () => {
    const publicUrl = await client.upload('image.jpg');
    const id = publicUrl.split('/').at(-2) ?? '';
    const { id: postId } = await client.createPost({
      content: 'x',
      mediaItems: [{ type: 'image', url: publicUrl }],
      platforms: [{ accountId: client.accountId('instagram') }],
      scheduledFor: toTimestamp(cloud.clock.now() + 60 * minuteMs),
    });
    await client.expectStatus(409, 'DELETE', `/v1/media/${id}`);
    await client.expectStatus(200, 'DELETE', `/v1/posts/${postId}`);
    await client.expectStatus(200, 'DELETE', `/v1/media/${id}`);
    await client.expectStatus(404, 'GET', `/v1/media/${id}`);
    await advanceTo(cloud, cloud.clock.now() + 2 * minuteMs);
    await until(
      () => fetch(publicUrl),
      ({ ok }) => !ok,
    );
  });
});

/** A page on a different host than the bucket's, like a customer's own site. */
const page = `<!DOCTYPE html><title>Upload</title><input type="file"><output></output><script>
const [input, output] = [document.querySelector('input'), document.querySelector('output')];
input.onchange = async () => {
  const [file] = input.files;
  const { uploadUrl, contentType } = window.grant;
  try {
    const answer = await fetch(uploadUrl, { method: 'PUT', headers: { 'Content-Type': contentType }, body: file });
    output.textContent = answer.status + ' ' + answer.headers.get('etag');
  } catch (error) {
    output.textContent = String(error);
  }
};
</script>`;

browserTest(
  'a page in a browser uploads a file from another origin and reads the response',
  async ({ page: tab }) => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { bytes } = readFixture('image.jpg');
      const grant = await presign({ filename: 'image.jpg', size: bytes.length });
      await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      expect(new URL(tab.url()).origin).not.toBe(new URL(grant.uploadUrl).origin);
      await tab.evaluate((given) => Object.assign(globalThis, { grant: given }), grant);
      const file = { name: 'image.jpg', mimeType: 'image/jpeg', buffer: bytes };
      await tab.setInputFiles('input', file);
      await tab.waitForFunction("document.querySelector('output').textContent !== ''");
      expect(await tab.textContent('output')).toMatch(/^200 "[0-9a-f]{32}"$/);
      expect(await arrived(grant.mediaId)).toMatchObject({
        status: 'ready',
        sizeBytes: bytes.length,
        probe: { width: 1_080, height: 1_350 },
      });
    } finally {
      server.close();
    }
  },
);
