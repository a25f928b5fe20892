import { describe, expect, it } from 'vitest';
import { helpersOf } from '../../../lib/client/helpers.ts';
import { type Answer, refusal, type Seen, serviceOf } from './service.ts';

const mebibyte = 1024 * 1024;

describe('waitForPost', () => {
  const setUp = (...statuses: string[]) => {
    const service = serviceOf(
      statuses.map((status) => ({ status: 200, body: { post: { id: '1', status } } })),
    );
    return { ...service, ...helpersOf(service.methods, service.options) };
  };

  it.each(['published', 'partial', 'failed'])('returns a post that is %s', async (status) => {
    const { waitForPost, waits } = setUp('scheduled', 'publishing', 'publishing', status);
    expect(await waitForPost('1')).toEqual({ id: '1', status });
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  it('asks less and less often, and gives up', async () => {
    const { waitForPost, waits } = setUp('scheduled');
    await expect(waitForPost('1', { timeoutMs: 120_000 })).rejects.toMatchObject({
      code: 'timed_out',
      message: 'waitForPost: the post is scheduled',
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('ends with its signal', async () => {
    const { waitForPost } = setUp('scheduled');
    await expect(waitForPost('1', { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
  });
});

describe('uploadMedia', () => {
  const storage = 'https://storage.example.com';
  const grant = {
    mediaId: 'media-1',
    uploadUrl: `${storage}/whole`,
    publicUrl: 'https://media.example.com/rolls.jpg',
    contentType: 'image/jpeg',
  };
  const uploaded = { mediaId: 'media-1', publicUrl: grant.publicUrl };
  const setUp = (answer: (seen: Seen, count: number) => Answer | undefined = () => undefined) => {
    let count = 0;
    const arrived = new Set<string>();
    const service = serviceOf((seen) => {
      count += 1;
      const planned = answer(seen, count);
      if (planned !== undefined) return planned;
      const { pathname, origin } = new URL(seen.url);
      if (origin === storage) {
        arrived.add(pathname);
        return { status: 200, body: '' };
      }
      if (!pathname.endsWith('/parts')) return { status: 200, body: grant };
      const size = 5 * mebibyte;
      const missing = [0, 1].filter((part) => !arrived.has(`/${part}`));
      const parts = missing.map((part) => ({ offset: part * size, size, uploadUrl: `${storage}/${part}` }));
      return { status: 200, body: { parts: parts.slice(0, 1), missingCount: missing.length } };
    });
    return { ...service, ...helpersOf(service.methods, service.options) };
  };
  const told = ({ method, url }: Seen) => `${method} ${url.replace('https://api.example.com', '')}`;
  const bytesOf = (seen?: Seen) => new Blob([seen?.body ?? '']).arrayBuffer();

  it.each([
    ['bytes', new Uint8Array([1, 2, 3])],
    ['part of a buffer', new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4)],
    ['a Blob', new Blob([new Uint8Array([1, 2, 3])], { type: 'text/plain' })],
  ])('sends %s to storage, with the granted type and without the key', async (_form, data) => {
    const { uploadMedia, seen } = setUp();
    expect(await uploadMedia({ filename: 'rolls.jpg', data })).toEqual(uploaded);
    expect(seen.map(told)).toEqual(['POST /v1/media/presign', `PUT ${grant.uploadUrl}`]);
    expect(seen[0]?.body).toBe('{"filename":"rolls.jpg","size":3}');
    expect([...(seen[1]?.headers ?? [])]).toEqual([['content-type', 'image/jpeg']]);
    expect(new Uint8Array(await bytesOf(seen[1]))).toEqual(new Uint8Array([1, 2, 3]));
  });

  it('sends a large file in parts, and says that it has', async () => {
    const { uploadMedia, seen } = setUp();
    const data = new Uint8Array(10 * mebibyte);
    data[5 * mebibyte] = 1;
    expect(await uploadMedia({ filename: 'film.mp4', data, contentType: 'video/mp4' })).toEqual(uploaded);
    expect(seen.map(told)).toEqual([
      'POST /v1/media/presign',
      'GET /v1/media/media-1/parts',
      `PUT ${storage}/0`,
      'GET /v1/media/media-1/parts',
      `PUT ${storage}/1`,
      'GET /v1/media/media-1/parts',
      'POST /v1/media/media-1/complete',
    ]);
    expect(JSON.parse(String(seen[0]?.body))).toEqual({
      filename: 'film.mp4',
      contentType: 'video/mp4',
      size: 10 * mebibyte,
      parts: true,
    });
    const [first, second] = [seen[2], seen[4]];
    expect([...(first?.headers ?? [])]).toEqual([]);
    expect((await bytesOf(first)).byteLength).toBe(5 * mebibyte);
    expect(new Uint8Array(await bytesOf(second))[0]).toBe(1);
  });

  it('sends each request again after a lost connection', async () => {
    const lost = new TypeError('fetch failed');
    const { uploadMedia, seen } = setUp((_, count) => (count % 2 === 1 ? lost : undefined));
    const data = new Uint8Array(10 * mebibyte);
    expect(await uploadMedia({ filename: 'film.mp4', data })).toEqual(uploaded);
    expect(seen).toHaveLength(14);
  });

  it('throws what the API or storage refuse', async () => {
    const tooMuch = setUp(() => refusal(413, 'storage_quota_exceeded'));
    const data = new Uint8Array(1);
    await expect(tooMuch.uploadMedia({ filename: 'a.jpg', data })).rejects.toMatchObject({
      code: 'storage_quota_exceeded',
    });
    const denied = setUp(({ method }) => (method === 'PUT' ? { status: 403, body: '<Error>' } : undefined));
    await expect(denied.uploadMedia({ filename: 'a.jpg', data })).rejects.toMatchObject({ code: 'http_403' });
  });

  it('gives up if parts are sent and do not arrive', async () => {
    const { uploadMedia } = setUp(({ method }) => (method === 'PUT' ? { status: 200, body: '' } : undefined));
    const data = new Uint8Array(10 * mebibyte);
    await expect(uploadMedia({ filename: 'film.mp4', data })).rejects.toMatchObject({
      code: 'upload_incomplete',
    });
  });
});
