import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createMovableClock } from '@herald/local-cloud/clock.ts';
import { accountId, startTestCloud, type TestCloud } from '@herald/local-cloud/testing/cloud.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInvalidations } from '../../../lib/aws/invalidations.ts';
import { hourMs } from '../../../lib/kernel/clock.ts';

const clock = createMovableClock();
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ clock });
});
afterAll(() => cloud.stop());

const open = (accessKeyId = 'administrator', distributionId = 'E1') => {
  const { endpoint, credentials } = cloud.client(accessKeyId);
  return openInvalidations({ endpoint, credentials, distributionId });
};

const put = (name: string, Body: string) =>
  new S3Client(cloud.client()).send(
    new PutObjectCommand({ Bucket: 'media', Key: `public/${name}`, Body, ContentLanguage: 'de' }),
  );

async function read(name: string): Promise<{ text: string; from: string | null; headers: Headers }> {
  const answer = await fetch(`${cloud.mediaUrl}/${name}`);
  return { text: await answer.text(), from: answer.headers.get('x-cache'), headers: answer.headers };
}

describe('the edge of the media', () => {
  it('serves a file from its cache for an hour, whatever its uploader asked for', async () => {
    await put('a.txt', 'old');
    await read('a.txt');
    await put('a.txt', 'new');
    expect(await read('a.txt')).toMatchObject({ text: 'old', from: 'Hit from cloudfront' });
    clock.advance(hourMs + 1);
    expect(await read('a.txt')).toMatchObject({ text: 'new', from: 'Miss from cloudfront' });
  });

  it('sends the headers of its policy, and replaces those that it overrides', async () => {
    await put('b.txt', 'x');
    for (const expected of ['Miss from cloudfront', 'Hit from cloudfront']) {
      const { headers, from } = await read('b.txt');
      expect(from).toBe(expected);
      expect(headers.get('cache-control')).toBe('public, max-age=3600');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-language')).toBe('de');
    }
  });
});

describe('an invalidation', () => {
  it.each([
    ['a path', ['/c-1.txt'], 'new'],
    ['all that begins with a path', ['/c-*'], 'new'],
    ['another path', ['/c-2.txt'], 'old'],
  ])('of %s', async (reference, paths, expected) => {
    await open()({ reference: `before ${reference}`, paths: ['/c-*'] });
    await put('c-1.txt', 'old');
    await read('c-1.txt');
    await put('c-1.txt', 'new');
    await open()({ reference, paths });
    expect((await read('c-1.txt')).text).toBe(expected);
  });

  it('that is repeated runs once, and a reference belongs to one set of paths', async () => {
    const invalidation = { reference: 'r1', paths: ['/d.txt'] };
    await open()(invalidation);
    await put('d.txt', 'old');
    await read('d.txt');
    await put('d.txt', 'new');
    await open()(invalidation);
    expect((await read('d.txt')).text).toBe('old');
    await expect(open()({ reference: 'r1', paths: ['/e.txt'] })).rejects.toMatchObject({
      failure: 'refused',
      message: 'CreateInvalidation: 400 InvalidationBatchAlreadyExists',
    });
  });

  it.each([
    ['without paths', []],
    ['of a path without a leading slash', ['a.txt']],
    ['with a wildcard in the middle', ['/a*b']],
  ])('%s is refused', async (reference, paths) => {
    await expect(open()({ reference, paths })).rejects.toMatchObject({ failure: 'refused' });
  });

  it('needs the right to this distribution', async () => {
    const arn = `arn:aws:cloudfront::${accountId}:distribution/`;
    const may = (id: string) =>
      ({ Effect: 'Allow', Action: 'cloudfront:CreateInvalidation', Resource: `${arn}${id}` }) as const;
    cloud.grant('other', may('E2'));
    cloud.grant('owner', may('E1'));
    await expect(open('other')({ reference: 'r2', paths: ['/a'] })).rejects.toMatchObject({
      message: 'CreateInvalidation: 403 AccessDenied',
    });
    await open('owner')({ reference: 'r2', paths: ['/a'] });
    await expect(open('administrator', 'E9')({ reference: 'r2', paths: ['/a'] })).rejects.toMatchObject({
      message: 'CreateInvalidation: 404 NoSuchDistribution',
    });
  });

  it('says so if the service cannot be reached', async () => {
    const { credentials } = cloud.client();
    const lost = openInvalidations({ endpoint: 'http://127.0.0.1:1', credentials, distributionId: 'E1' });
    await expect(lost({ reference: 'r3', paths: ['/a'] })).rejects.toMatchObject({ failure: 'unreachable' });
  });
});
