import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs, hourMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { UploadGrant } from '../../../lib/media/operations.ts';
import { type Client, clientOf, settled, until } from '../../journeys/support/client.ts';
import { advance, advanceTo, passing } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

let cloud: TestCloud;
let client: Client;
beforeAll(async () => {
  cloud = await startTestCloud();
  client = clientOf(cloud, cloud.demo);
}, 120_000);
afterAll(() => cloud.stop());

/** A worker that loses its lease during the last call to LinkedIn leaves an unknown outcome, so the clock waits for workers. */
const meanwhile = (seconds: number) => passing(cloud, seconds, Number.POSITIVE_INFINITY);
const publicStatus = async (url: string) => (await fetch(url)).status;
const isPublic = (url: string) =>
  until(
    () => publicStatus(url),
    (status) => status === 200,
    meanwhile(1),
  );
const idOf = (url: string) => new URL(url).pathname.split('/').at(-2) ?? '';
const recordStatus = async (url: string) => (await client.request('GET', `/v1/media/${idOf(url)}`)).status;
const postOf = (content: string, url: string, changes: object) =>
  client.createPost({
    content,
    platforms: [{ accountId: client.accountId('threads') }],
    mediaItems: [{ type: 'image', url }],
    ...changes,
  });

it('a PDF goes from its upload to a document post on LinkedIn, whatever case and parameters its type is sent with', async () => {
  const pdf = Buffer.from(
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n',
  );
  const asked = { filename: 'Menu.PDF', contentType: 'Application/PDF; version=1.7', size: pdf.length };
  const grant = UploadGrant.parse(
    (await client.expectStatus(200, 'POST', '/v1/media/presign', asked)).json(),
  );
  expect(grant.contentType).toBe('application/pdf');
  const headers = { 'content-type': grant.contentType };
  expect((await fetch(grant.uploadUrl, { method: 'PUT', headers, body: pdf })).status).toBe(200);
  await isPublic(grant.publicUrl);
  const body = {
    content: 'Our menu for the spring',
    platforms: [{ accountId: client.accountId('linkedin'), platformSpecificData: { documentTitle: 'Menu' } }],
    mediaItems: [{ type: 'document', url: grant.publicUrl }],
    publishNow: true,
  };
  expect((await client.expectStatus(200, 'POST', '/v1/posts/validate', body)).json()).toMatchObject({
    valid: true,
  });
  const { id } = await client.createPost(body);
  expect(await settled(client, id, meanwhile(5))).toMatchObject({
    status: 'published',
    mediaItems: [{ type: 'document' }],
  });
  const [post] = await platformOf(cloud, 'linkedin').postsSaying(body.content);
  expect(post?.media).toMatchObject([{ type: 'application/pdf', bytes: pdf.length }]);
  const onInstagram = { ...body, platforms: [{ accountId: client.accountId('instagram') }] };
  const refusal = await client.expectStatus(400, 'POST', '/v1/posts', onInstagram);
  expect(refusal.json()).toMatchObject({ error: expect.stringContaining('mediaItems[0]') });
}, 120_000);

it('a published file is removed after 30 days, but never while a scheduled post or a waiting step of a chain needs it', async () => {
  const urls = await Promise.all(['image.jpg', 'image.jpg', 'image.jpg', 'image.jpg'].map(client.upload));
  const [done = '', planned = '', chained = '', unused = ''] = urls;
  await Promise.all(urls.map(isPublic));
  const live = await Promise.all(
    [done, planned, chained].map((url, index) => postOf(`live ${index}`, url, { publishNow: true })),
  );
  for (const { id } of live)
    expect(await settled(client, id, meanwhile(5))).toMatchObject({ status: 'published' });

  const dueMs = cloud.clock.now() + 40 * dayMs;
  const scheduledFor = toTimestamp(dueMs);
  const later = await postOf('again, later', planned, { scheduledFor });
  const parent = await client.createPost({
    content: 'first this',
    platforms: [{ accountId: client.accountId('threads') }],
    scheduledFor,
    chain: [
      {
        kind: 'followUp',
        accountIds: [client.accountId('threads')],
        content: 'then the picture',
        mediaItems: [{ type: 'image', url: chained }],
      },
    ],
  });

  await advance(cloud, (29 * dayMs) / secondMs);
  await advance(cloud, hourMs / secondMs);
  expect(await publicStatus(done)).toBe(200);
  await advance(cloud, (2 * dayMs) / secondMs);
  const goneFrom = (url: string) =>
    until(
      async () => [await recordStatus(url), await publicStatus(url)],
      ([record, file]) => record === 404 && file !== 200,
      { withinSeconds: 90, ...meanwhile(hourMs / secondMs) },
    );
  await goneFrom(done);
  for (const url of [planned, chained, unused])
    expect([await recordStatus(url), await publicStatus(url)]).toEqual([200, 200]);

  await advanceTo(cloud, dueMs);
  for (const { id } of [later, parent])
    expect(await settled(client, id, meanwhile(5))).toMatchObject({ status: 'published' });
  const step = await until(
    async () => (await client.readPost(parent.id)).chain[0],
    (found) => found?.status === 'fired',
    meanwhile(5),
  );
  expect(await settled(client, step?.postId ?? '', meanwhile(5))).toMatchObject({ status: 'published' });
  const threads = platformOf(cloud, 'threads');
  expect(await threads.postsSaying('then the picture')).toMatchObject([{ media: [{ type: 'image/jpeg' }] }]);

  await advance(cloud, (31 * dayMs) / secondMs);
  await goneFrom(planned);
  await goneFrom(chained);
  expect([await recordStatus(unused), await publicStatus(unused)]).toEqual([200, 200]);
}, 300_000);
