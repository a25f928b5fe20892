import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { MediaView } from '../../../lib/media/view.ts';
import { type Client, clientOf, readFixture, targetOf, until } from '../../journeys/support/client.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
let client: Client;
visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
});

/** A file of 20 MiB, which is sent in parts. */
const large = Buffer.concat([readFixture('video.mp4').bytes, freeBox(20 * 1024 ** 2)]);

/** A box of an MP4 file that players skip: ISO/IEC 14496-12, section 8.1.2. */
function freeBox(bytes: number): Buffer {
  const box = Buffer.alloc(bytes);
  box.writeUInt32BE(bytes);
  box.write('free', 4);
  return box;
}

let source: Server;
let base: string;
beforeAll(async () => {
  const files: Readonly<Record<string, Buffer>> = {
    '/image.jpg': readFixture('image.jpg').bytes,
    '/large.mp4': large,
  };
  source = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://source').pathname;
    const file = files[path];
    if (path === '/moved') response.writeHead(301, { location: '/image.jpg' }).end();
    else response.writeHead(file ? 200 : 404, { 'content-length': String(file?.length ?? 0) }).end(file);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
afterAll(() => {
  source.closeAllConnections();
  source.close();
});

const read = async (id: string) =>
  z.object({ media: MediaView }).parse((await client.expectStatus(200, 'GET', `/v1/media/${id}`)).json())
    .media;

describe('a file at another server', () => {
  it('is imported by its address, in parts, and served', async () => {
    const url = `${base}/large.mp4?signature=secret`;
    const answer = await client.expectStatus(202, 'POST', '/v1/media', { url });
    const { media } = z.object({ media: MediaView }).parse(answer.json());
    expect(media).toMatchObject({ status: 'pending', sourceUrl: `${base}/large.mp4` });
    expect(answer.text).not.toContain('secret');
    const ready = await until(
      () => read(media.id),
      ({ status }) => status !== 'pending',
      { withinSeconds: 60 },
    );
    expect(ready).toMatchObject({
      status: 'ready',
      contentType: 'video/mp4',
      sizeBytes: large.length,
      import: { status: 'done', attempts: 1, receivedBytes: large.length, totalBytes: large.length },
    });
    const served = await fetch(ready.publicUrl);
    expect(Buffer.from(await served.arrayBuffer()).equals(large)).toBe(true);
  });

  it('is published by a post that names its address', async () => {
    const post = await client.createPost({
      content: 'A boat in the harbour',
      mediaItems: [{ type: 'image', url: `${base}/moved` }],
      platforms: [{ accountId: client.accountId('instagram') }],
      publishNow: true,
    });
    expect(post.mediaItems).toMatchObject([{ type: 'image', sourceUrl: `${base}/moved` }]);
    expect(post.mediaItems[0]?.url).not.toContain(base);
    const published = await until(
      () => client.readPost(post.id),
      ({ status }) => status === 'published' || status === 'failed',
      { withinSeconds: 60 },
    );
    expect(targetOf(published, 'instagram')).toMatchObject({ status: 'published', error: null });
  });

  it('fails the post that names it if it cannot be fetched, and says which field and why', async () => {
    const post = await client.createPost({
      content: 'A boat in the harbour',
      mediaItems: [{ url: `${base}/missing.jpg` }],
      platforms: [{ accountId: client.accountId('instagram') }],
      publishNow: true,
    });
    const failed = await until(
      () => client.readPost(post.id),
      ({ status }) => status === 'published' || status === 'failed',
      { withinSeconds: 60 },
    );
    expect(targetOf(failed, 'instagram')).toMatchObject({
      status: 'failed',
      error: 'mediaItems[0].url: could not be fetched: the server responded 404',
      errorDetail: { code: 'media_unreachable', category: 'content' },
    });
  });
});
