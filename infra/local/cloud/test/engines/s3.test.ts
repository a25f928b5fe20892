import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectEvent } from '../../engines/types.ts';
import { bucketArn, queueArn, smallModel, startTestCloud, type TestCloud } from '../../testing/cloud.ts';

let cloud: TestCloud;
let s3: S3Client;
const functionEvents: ObjectEvent[] = [];

beforeAll(async () => {
  cloud = await startTestCloud({ onObjectEvent: (event) => void functionEvents.push(event) });
});
afterAll(() => cloud.stop());
beforeEach(() => {
  s3 = new S3Client(cloud.client());
});

const at = (Key: string) => ({ Bucket: 'media', Key });
const put = (Key: string, Body: string | Buffer | Readable, extra: object = {}) =>
  s3.send(new PutObjectCommand({ ...at(Key), Body, ...extra }));
const text = async (Key: string, extra: object = {}) => {
  const { Body } = await s3.send(new GetObjectCommand({ ...at(Key), ...extra }));
  return Body?.transformToString();
};

describe('objects', () => {
  it('stores a body with its content type, cache control and metadata', async () => {
    const put1 = await put('a b/ç+&.txt', 'hello', {
      ContentType: 'text/plain',
      CacheControl: 'max-age=60',
      Metadata: { owner: 'w1' },
    });
    const got = await s3.send(new GetObjectCommand(at('a b/ç+&.txt')));
    expect(await got.Body?.transformToString()).toBe('hello');
    expect(got).toMatchObject({
      ContentType: 'text/plain',
      CacheControl: 'max-age=60',
      Metadata: { owner: 'w1' },
      ETag: put1.ETag,
      ContentLength: 5,
    });
  });

  it('accepts a chunked stream with a trailing checksum', async () => {
    const body = Buffer.alloc(300_000, 'abc');
    await put('stream', Readable.from([body.subarray(0, 100_000), body.subarray(100_000)]), {
      ContentLength: body.length,
    });
    const { Body } = await s3.send(new GetObjectCommand(at('stream')));
    expect(body.equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
  });

  it('keeps content across a restart', async () => {
    await put('kept', 'still here');
    await cloud.restart();
    s3 = new S3Client(cloud.client());
    expect(await text('kept')).toBe('still here');
  });

  it('stores an empty object', async () => {
    await put('empty', Buffer.alloc(0));
    expect(await s3.send(new HeadObjectCommand(at('empty')))).toMatchObject({ ContentLength: 0 });
    expect(await text('empty')).toBe('');
  });

  it('copies with the same metadata or with new metadata', async () => {
    await put('from é', 'copied', { Metadata: { a: '1' } });
    const CopySource = `media/${encodeURIComponent('from é')}`;
    await s3.send(new CopyObjectCommand({ ...at('to'), CopySource }));
    expect(await s3.send(new HeadObjectCommand(at('to')))).toMatchObject({ Metadata: { a: '1' } });
    const replaced = { CopySource, MetadataDirective: 'REPLACE', Metadata: { b: '2' } } as const;
    await s3.send(new CopyObjectCommand({ ...at('to'), ...replaced }));
    expect(await s3.send(new HeadObjectCommand(at('to')))).toMatchObject({ Metadata: { b: '2' } });
    expect(await text('to')).toBe('copied');
  });

  it('deletes one object or many, and counts missing ones as deleted', async () => {
    for (const key of ['d1', 'd2', 'd&3']) await put(key, 'x');
    await s3.send(new DeleteObjectCommand(at('d1')));
    await s3.send(new DeleteObjectCommand(at('d1')));
    const Objects = ['d2', 'd&3', 'never'].map((Key) => ({ Key }));
    const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket: 'media', Delete: { Objects } }));
    expect(Deleted?.map(({ Key }) => Key)).toEqual(['d2', 'd&3', 'never']);
    await expect(text('d&3')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('answers 404 for a missing object: NoSuchKey, or NotFound without a body', async () => {
    await expect(text('missing')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(s3.send(new HeadObjectCommand(at('missing')))).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('lists by prefix and delimiter, page by page', async () => {
    for (const key of ['l/a/1', 'l/a/2', 'l/b', 'l/c/1', 'l/d']) await put(key, 'x');
    const seen: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: 'media',
        Prefix: 'l/',
        Delimiter: '/',
        MaxKeys: 2,
        ContinuationToken,
      });
      const page = await s3.send(command);
      seen.push(...(page.Contents ?? []).map(({ Key }) => `key ${Key}`));
      seen.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => `prefix ${Prefix}`));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    expect(seen.sort()).toEqual(['key l/b', 'key l/d', 'prefix l/a/', 'prefix l/c/']);
  });

  it('does not overwrite an object if the request has If-None-Match: *', async () => {
    await put('first', '1');
    await expect(put('first', '2', { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    expect(await text('first')).toBe('1');
  });

  it('keeps the SHA-256 that an upload has, instead of its own checksum', async () => {
    const ChecksumSHA256 = createHash('sha256').update('body').digest('base64');
    await put('digested', 'body', { ChecksumSHA256 });
    const head = await s3.send(
      new HeadObjectCommand({ Bucket: 'media', Key: 'digested', ChecksumMode: 'ENABLED' }),
    );
    expect(head.ChecksumSHA256).toBe(ChecksumSHA256);
    expect(head.ChecksumCRC32).toBeUndefined();
    const wrong = { ChecksumSHA256: createHash('sha256').update('other').digest('base64') };
    await expect(put('digested', 'body', wrong)).rejects.toMatchObject({ name: 'BadDigest' });
  });

  it.each([
    ['a wrong Content-MD5', { ContentMD5: Buffer.alloc(16).toString('base64') }, 'BadDigest'],
    ['a wrong CRC32', { ChecksumCRC32: 'AAAAAA==' }, 'BadDigest'],
  ])('refuses a body with %s', async (_, extra, name) => {
    await expect(put('refused', 'body', extra)).rejects.toMatchObject({ name });
    await expect(text('refused')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('ranges and conditions', () => {
  const body = Array.from({ length: 1000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
  beforeAll(() => new S3Client(cloud.client()).send(new PutObjectCommand({ ...at('alphabet'), Body: body })));

  it.each([
    ['bytes=0-99', body.slice(0, 100), 'bytes 0-99/1000'],
    ['bytes=900-', body.slice(900), 'bytes 900-999/1000'],
    ['bytes=900-5000', body.slice(900), 'bytes 900-999/1000'],
    ['bytes=-100', body.slice(-100), 'bytes 900-999/1000'],
    ['bytes=-5000', body, 'bytes 0-999/1000'],
    ['bytes=5-4', body, undefined],
    ['bytes=0-1,4-5', body, undefined],
    ['lines=1-2', body, undefined],
  ])('answers %s', async (Range, expected, contentRange) => {
    const got = await s3.send(new GetObjectCommand({ ...at('alphabet'), Range }));
    expect(await got.Body?.transformToString()).toBe(expected);
    expect(got.ContentRange).toBe(contentRange);
    expect(got.$metadata.httpStatusCode).toBe(contentRange === undefined ? 200 : 206);
  });

  it.each(['bytes=1000-', 'bytes=-0'])('answers 416 to %s, with the size', async (Range) => {
    const url = await getSignedUrl(s3, new GetObjectCommand(at('alphabet')));
    const answer = await fetch(url, { headers: { range: Range } });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe('bytes */1000');
  });

  it('answers 304 if the ETag is in If-None-Match, and 412 if it is not in If-Match', async () => {
    const { ETag } = await s3.send(new HeadObjectCommand(at('alphabet')));
    await expect(text('alphabet', { IfNoneMatch: ETag })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 304 },
    });
    await expect(text('alphabet', { IfMatch: '"other"' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
  });
});

describe('presigned uploads', () => {
  const grant = (extra: { expiresIn?: number } = {}) =>
    getSignedUrl(
      new S3Client({ ...cloud.client(), requestChecksumCalculation: 'WHEN_REQUIRED' }),
      new PutObjectCommand({ ...at('upload'), ContentType: 'image/png', ContentLength: 4 }),
      { expiresIn: 60, signableHeaders: new Set(['content-type', 'content-length', 'host']), ...extra },
    );
  const upload = (url: string, body = 'data', type = 'image/png') =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': type } });

  it('accepts what was signed', async () => {
    const answer = await upload(await grant());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(await text('upload')).toBe('data');
  });

  it.each<[string, (url: string) => Promise<Response>]>([
    ['another type', (url) => upload(url, 'data', 'text/html')],
    ['a longer body', (url) => upload(url, 'data+')],
    ['a shorter body', (url) => upload(url, 'dat')],
    ['another key', (url) => upload(url.replace('/media/upload', '/media/other'))],
    ['a longer expiry', (url) => upload(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))],
    ['another method', (url) => fetch(url, { method: 'DELETE' })],
    [
      'an added header',
      (url) =>
        fetch(url, {
          method: 'PUT',
          body: 'data',
          headers: { 'content-type': 'image/png', 'x-amz-acl': 'public-read' },
        }),
    ],
  ])('refuses %s', async (_, send) => {
    const answer = await send(await grant());
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
  });

  it('refuses after the expiry, by the movable clock', async () => {
    const url = await grant();
    cloud.clock.advance(62_000);
    const answer = await upload(url);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Request has expired');
  });

  it('refuses a URL that was signed with the checksum of an empty body', async () => {
    const url = await getSignedUrl(s3, new PutObjectCommand(at('upload')));
    expect((await fetch(url, { method: 'PUT', body: 'data' })).status).toBe(400);
  });
});

describe('requests from web pages', () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${cloud.engines.endpointUrl}/media/key`, { method: 'OPTIONS', headers });
  const fromApp = { origin: 'https://app.example.com', 'access-control-request-method': 'PUT' };

  it('allows a preflight that a CORS rule allows', async () => {
    const answer = await ask({ ...fromApp, 'access-control-request-headers': 'Content-Type' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-allow-headers')).toBe('content-type');
    expect(answer.headers.get('access-control-max-age')).toBe('3000');
  });

  it.each([
    ['another origin', { ...fromApp, origin: 'https://evil.example.com' }],
    ['another method', { ...fromApp, 'access-control-request-method': 'DELETE' }],
    ['another header', { ...fromApp, 'access-control-request-headers': 'x-other' }],
  ])('refuses %s', async (_, headers) => {
    expect((await ask(headers)).status).toBe(403);
  });

  it('lets the page read a refusal', async () => {
    const answer = await fetch(`${cloud.engines.endpointUrl}/media/key`, {
      method: 'PUT',
      body: 'x',
      headers: { origin: 'https://app.example.com' },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
  });
});

describe('notifications', () => {
  const arrivals = () =>
    cloud.engines.queues.receive({ queueArn: queueArn('arrivals'), max: 10, waitMs: 2000 });

  it('sends a queue one test event, then an event for each object under the prefix', async () => {
    const messages = [];
    await put('public/a b+é.txt', 'x');
    await put('private/a', 'x');
    while (messages.length < 2) messages.push(...(await arrivals()));
    const [test, event] = messages.map(({ body }) => JSON.parse(body));
    expect(test).toMatchObject({ Event: 's3:TestEvent', Bucket: 'media' });
    expect(event.Records).toMatchObject([
      {
        eventName: 'ObjectCreated:Put',
        eventSource: 'aws:s3',
        awsRegion: 'eu-west-1',
        s3: {
          bucket: { name: 'media', arn: bucketArn },
          object: { key: 'public/a+b%2B%C3%A9.txt', size: 1 },
        },
      },
    ]);
  });

  it('gives later changes of a key a higher sequencer', async () => {
    const sequencers: string[] = [];
    for (const body of ['1', '2', '3']) {
      await put('public/again', body);
      for (const message of await arrivals()) {
        sequencers.push(JSON.parse(message.body).Records[0].s3.object.sequencer);
      }
    }
    expect(sequencers).toHaveLength(3);
    expect(sequencers.toSorted()).toEqual(sequencers);
  });

  it('passes events for other destinations to onObjectEvent', async () => {
    await put('gone', 'x');
    await s3.send(new DeleteObjectCommand(at('gone')));
    await expect.poll(() => functionEvents.at(-1)?.destinationArn).toContain(':function:removed');
    expect(functionEvents.at(-1)?.notification.Records).toMatchObject([
      { eventName: 'ObjectRemoved:Delete', s3: { object: { key: 'gone' } } },
    ]);
  });
});

describe('rights', () => {
  it('refuses unsigned reads and writes', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await fetch(`${cloud.engines.endpointUrl}/media/public/x`, { method });
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('<Code>AccessDenied</Code>');
    }
  });

  it('reveals that an object is missing only to callers that may list the bucket', async () => {
    cloud.grant('reader', { Effect: 'Allow', Action: 's3:GetObject', Resource: `${bucketArn}/*` });
    const reader = new S3Client(cloud.client('reader'));
    await expect(reader.send(new HeadObjectCommand(at('missing')))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    await expect(reader.send(new PutObjectCommand({ ...at('x'), Body: 'x' }))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining('because no identity-based policy allows the s3:PutObject action'),
    });
  });
});

describe('an edge that keeps errors', () => {
  it('says for ten seconds that a file is missing that was asked for too early, however it is asked', async () => {
    const keeping = await startTestCloud({
      model: (urls) => {
        const { distributions, ...model } = smallModel(urls);
        const errorResponses = { 403: { cacheSeconds: 10 } };
        return { ...model, distributions: distributions.map((each) => ({ ...each, errorResponses })) };
      },
    });
    const ask = async (init: RequestInit = {}) => {
      const { status, headers } = await fetch(`${keeping.mediaUrl}/late.txt`, init);
      return [status, headers.get('x-cache')];
    };
    expect(await ask({ method: 'HEAD' })).toEqual([403, 'Miss from cloudfront']);
    await new S3Client(keeping.client()).send(
      new PutObjectCommand({ ...at('public/late.txt'), Body: 'late' }),
    );
    const asLater = [403, 'Error from cloudfront'];
    expect(await ask()).toEqual(asLater);
    expect(await ask({ method: 'HEAD' })).toEqual(asLater);
    expect(await ask({ headers: { range: 'bytes=0-1' } })).toEqual(asLater);
    expect(await ask({ headers: { 'if-none-match': '"x"' } })).toEqual(asLater);
    keeping.clock.advance(10_000);
    expect(await ask({ headers: { range: 'bytes=9-' } })).toEqual([416, 'Miss from cloudfront']);
    expect(await ask()).toEqual([200, 'Miss from cloudfront']);
    await keeping.stop();
  });
});

describe('the edge of the media', () => {
  const read = (path: string, init: RequestInit = {}) => fetch(`${cloud.mediaUrl}${path}`, init);
  beforeAll(() =>
    new S3Client(cloud.client()).send(
      new PutObjectCommand({ ...at('public/film.mp4'), Body: '0123456789', ContentType: 'video/mp4' }),
    ),
  );

  it('serves objects under its origin path, and tells browsers not to guess types', async () => {
    const answer = await read('/film.mp4');
    expect(await answer.text()).toBe('0123456789');
    expect(answer.headers.get('content-type')).toBe('video/mp4');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('lets pages of other origins read what they ask for as such', async () => {
    const allowed = async (init: RequestInit) =>
      (await read('/film.mp4?any', init)).headers.get('access-control-allow-origin');
    expect(await allowed({ headers: { origin: 'https://app.example.com' } })).toBe('*');
    expect(await allowed({})).toBeNull();
  });

  it('serves ranges and HEAD requests', async () => {
    const part = await read('/film.mp4', { headers: { range: 'bytes=-3' } });
    expect([part.status, await part.text()]).toEqual([206, '789']);
    const head = await read('/film.mp4', { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['10', '']);
  });

  it.each([
    ['an object that is not public', '/../private/a', {}],
    ['a missing object', '/none', {}],
    ['a listing', '/', {}],
    ['a listing by query', '/?list-type=2', {}],
    ['a write', '/film.mp4', { method: 'PUT', body: 'x' }],
    ['a delete', '/film.mp4', { method: 'DELETE' }],
  ])('refuses %s', async (_, path, init) => {
    expect((await read(path, init)).status).toBe(403);
  });
});
