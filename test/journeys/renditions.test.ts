import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { dayMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { UploadGrant } from '../../lib/media/operations.ts';
import { type Recipe, renditionIdOf } from '../../lib/media/renditions/recipe.ts';
import { Rendition } from '../../lib/media/renditions/schemas.ts';
import { renditionObjectKeyFor } from '../../lib/media/urls.ts';
import { MediaView } from '../../lib/media/view.ts';
import { getItem } from '../../lib/table/items.ts';
import { renditionKey } from '../../lib/table/keys.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { clientOf, parsePost, readFixture, settled, until } from './support/client.ts';
import { tableOf } from './support/links.ts';

let cloud: CloudVisit;
visitSharedCloud((visit) => {
  cloud = visit;
});

/** Uploads a file of the corpus, asks for a rendition, and waits for it. */
async function render(fixture: string, recipe: Recipe): Promise<Rendition & { readonly url: string }> {
  const client = clientOf(cloud, cloud.demo);
  const publicUrl = await client.upload(`media-corpus/${fixture}`);
  const [workspaceId = '', mediaId = ''] = publicUrl.split('/').slice(-3);
  const arrived = async () =>
    z
      .object({ media: MediaView })
      .parse((await client.expectStatus(200, 'GET', `/v1/media/${mediaId}`)).json()).media;
  expect(await until(arrived, ({ status }) => status !== 'pending')).toMatchObject({ status: 'ready' });
  const id = renditionIdOf(recipe);
  const objectKey = renditionObjectKeyFor({ workspaceId, mediaId, id }, recipe.contentType);
  const table = tableOf(cloud);
  const createdAt = toTimestamp(cloud.clock.now());
  const times = { createdAt, wantedAt: createdAt, sentAt: createdAt };
  const wanted = { id, workspaceId, mediaId, recipe, objectKey, status: 'wanted', ...times, version: 1 };
  const key = renditionKey(workspaceId, mediaId, id);
  const Item = { ...key, kind: 'rendition', ...wanted };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  await send({ workspaceId, mediaId, renditionId: id });
  const read = async () => Rendition.parse(await getItem(table, key));
  const rendition = await until(read, ({ status }) => status !== 'wanted');
  table.client.destroy();
  return { ...rendition, url: new URL(`/${objectKey}`, publicUrl).href };
}

async function send(message: object): Promise<void> {
  const { awsEndpoint: endpoint, administrator: credentials, model } = cloud;
  const sqs = new SQSClient({ region: model.region, endpoint, credentials });
  const queue = model.queues.find(
    ({ redrive, name }) => redrive !== undefined && name.includes('RenderMedia'),
  );
  await sqs.send(new SendMessageCommand({ QueueUrl: queue?.url, MessageBody: JSON.stringify(message) }));
  sqs.destroy();
}

const picture: Recipe = {
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: 540,
  heightPixels: 675,
  maxBytes: 8_000_000,
  background: '#ffffff',
};

it.each([
  ['photo.jpg', picture, 'ffd8ff'],
  ['photo.heic', picture, 'ffd8ff'],
  ['photo.avif', picture, 'ffd8ff'],
  ['plain.mkv', { kind: 'video', contentType: 'video/mp4', maxBytes: 1_000_000 }, '00000014'],
] as const)('the deployed function makes a public file from %s', async (fixture, recipe, head) => {
  const { status, sizeBytes, sha256, url } = await render(fixture, recipe);
  expect(status).toBe('ready');
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-type')).toBe(recipe.contentType);
  expect(bytes.toString('hex', 0, 3)).toBe(head.slice(0, 6));
  expect({ sizeBytes, sha256 }).toEqual({
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
});

it('a file that cannot be converted says why', async () => {
  expect(await render('animated.webp', { ...picture, heightPixels: 540 })).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('the picture moves'),
  });
});

it('a post whose picture cannot be converted is edited long before its time, and goes live with another one', async () => {
  const client = clientOf(cloud, cloud.demo);
  const { bytes } = readFixture('media-corpus/screenshot.png');
  // Its header is as it was, so the damage shows only when it is converted.
  const damaged = new Uint8Array(bytes).fill(0, bytes.length / 2, bytes.length - 100);
  const asked = { filename: 'damaged.png', contentType: 'image/png', size: damaged.length };
  const { uploadUrl, publicUrl, mediaId } = UploadGrant.parse(
    (await client.expectStatus(200, 'POST', '/v1/media/presign', asked)).json(),
  );
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: damaged });
  const stored = async () => (await client.request('GET', `/v1/media/${mediaId}`)).text;
  await until(stored, (text) => text.includes('"status":"ready"'));
  const { id } = await client.createPost({
    content: 'A picture',
    platforms: [{ accountId: client.accountId('instagram') }],
    mediaItems: [{ type: 'image', url: publicUrl }],
    scheduledFor: toTimestamp(cloud.clock.now() + dayMs),
  });
  const failed = await settled(client, id);
  expect(failed).toMatchObject({ status: 'failed', editable: true });
  expect(failed.platforms[0]?.error).toContain('cannot be converted for Instagram');
  const other = await client.upload('square.jpg');
  const edit = (body: object) => client.request('PATCH', `/v1/posts/${id}`, body);
  const edited = await edit({ mediaItems: [{ type: 'image', url: other }] });
  expect(parsePost(edited)).toMatchObject({
    status: 'scheduled',
    scheduledFor: failed.scheduledFor,
    platforms: [{ status: 'scheduled', error: null, scheduledFor: failed.scheduledFor }],
  });
  await edit({ publishNow: true });
  const live = await settled(client, id);
  expect(live).toMatchObject({ status: 'published', editable: false });
  expect((await edit({ content: 'Another text' })).json()).toMatchObject({ code: 'post_live' });
});

it('the licences of all libraries of a deployment are in one file', () => {
  const notices = readFileSync(join(import.meta.dirname, '../../.build/third-party-notices.txt'), 'utf8');
  expect(notices).toMatch(
    /^libheif-js [\d.]+\nLicence: LGPL-3\.0\nIn: accounts-post-picture \(as files of its own\), render-media \(as files of its own\)$/m,
  );
  expect(notices).toMatch(/^zod [\d.]+\nLicence: MIT\nIn: .*publish-target/m);
});
