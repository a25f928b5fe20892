import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { UploadGrant } from '../../../lib/media/operations.ts';
import { type Client, clientOf, settled, targetOf, until } from '../../journeys/support/client.ts';
import { advance, advanceTo, readClock } from '../../journeys/support/clock.ts';
import { type DevProcess, startDev } from '../../journeys/support/dev-process.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { textOf } from '../../lib/erasure/filled-workspace.ts';

const root = join(import.meta.dirname, '../../..');
const directory = mkdtempSync(join(tmpdir(), 'offboarding-'));
const dataDirectory = join(directory, 'data');

let run: DevProcess;
let client: Client;
let other: Client;
beforeAll(async () => {
  run = await startDev({ dataDirectory });
  const [demo, second] = run.dev.workspaces;
  if (!demo || !second) throw new Error('there are no two workspaces');
  client = clientOf(run.dev, demo);
  other = clientOf(run.dev, second);
}, 120_000);
afterAll(async () => {
  await run.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Runs `npm run admin -- workspace <words>` without npm. @returns what it prints */
async function workspace(...words: string[]): Promise<string> {
  const { AWS_PROFILE: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, 'bin/admin.ts'), 'workspace', ...words], {
    env: { ...environment, DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
  return stdout + stderr;
}
const listed = async () =>
  (await workspace('list')).split('\n').find((line) => line.includes(client.workspace.id));

function administrator() {
  const { administrator: credentials } = JSON.parse(
    readFileSync(join(dataDirectory, 'access-keys.json'), 'utf8'),
  );
  return { region: 'us-east-1', endpoint: run.dev.awsEndpoint, credentials };
}

/** The items of the table that contain a text and have not expired. */
async function itemsWith(part: string): Promise<Record<string, unknown>[]> {
  const dynamodb = new DynamoDBClient(administrator());
  const { TableNames: [TableName] = [] } = await dynamodb.send(new ListTablesCommand({}));
  const nowSeconds = (await readClock(run.dev)) / secondMs;
  const found: Record<string, unknown>[] = [];
  const client = DynamoDBDocumentClient.from(dynamodb);
  for await (const { Items = [] } of paginateScan({ client }, { TableName }))
    found.push(...Items.filter((item) => textOf(item).includes(part)));
  return found.filter(({ expiresAtSeconds = nowSeconds + 1 }) => Number(expiresAtSeconds) > nowSeconds);
}

/** The keys of the objects in the media bucket that contain a text. */
async function objectsWith(part: string): Promise<string[]> {
  const grant = await other.expectStatus(200, 'POST', '/v1/media/presign', { filename: 'a.jpg' });
  const { hostname, pathname } = new URL(UploadGrant.parse(grant.json()).uploadUrl);
  const [, first = ''] = pathname.split('/');
  const Bucket = first === 'incoming' ? hostname.split('.')[0] : first;
  const s3 = new S3Client({ ...administrator(), forcePathStyle: true });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  return Contents.flatMap(({ Key = '' }) => (Key.includes(part) ? Key : []));
}

const schedule = (content: string, dueMs: number, publicUrl?: string) =>
  client.createPost({
    content,
    platforms: [{ accountId: client.accountId('threads') }],
    scheduledFor: new Date(dueMs).toISOString(),
    ...(publicUrl !== undefined && { mediaItems: [{ type: 'image', url: publicUrl }] }),
  });

it('a suspended workspace is refused with 403 and publishes nothing; resumed, what waited is live once', async () => {
  const { id: workspaceId } = client.workspace;
  const threads = platformOf(run.dev, 'threads');
  const dueMs = (await readClock(run.dev)) + 5 * minuteMs;
  const { id } = await schedule('waits for the invoice', dueMs);
  const { id: otherId } = await other.createPost({
    content: 'of another workspace',
    platforms: [{ accountId: other.accountId('threads') }],
    scheduledFor: new Date(dueMs).toISOString(),
  });

  expect(await workspace('suspend', workspaceId, '--reason', 'the invoice is open')).toContain('Suspended.');
  expect(await listed()).toContain('  suspended');
  await advance(run.dev, 30);
  expect((await client.request('GET', '/v1/accounts')).status).toBe(403);
  await advanceTo(run.dev, dueMs + 1_000);
  await settled(other, otherId, { meanwhile: () => advance(run.dev, 5) });
  await advance(run.dev, 30 * 60);
  expect(await threads.postsSaying('waits for the invoice')).toEqual([]);

  expect(await workspace('resume', workspaceId)).toContain('Resumed.');
  await advance(run.dev, 30);
  const live = await settled(client, id, { meanwhile: () => advance(run.dev, 5) });
  expect(live.status).toBe('published');
  expect(targetOf(live, 'threads').error).toBeNull();
  expect(await client.timeline(id)).toContainEqual(
    expect.objectContaining({ event: 'paused', reason: expect.stringContaining('the invoice is open') }),
  );
  await advance(run.dev, 30 * 60);
  expect(await threads.postsSaying('waits for the invoice')).toHaveLength(1);
}, 180_000);

it('a deleted workspace is erased after 30 days: accounts are revoked, bucket and table are empty of it', async () => {
  const { id: workspaceId } = client.workspace;
  const publicUrl = await client.upload('image.jpg');
  await until(
    async () => (await fetch(publicUrl)).status,
    (status) => status === 200,
    { meanwhile: () => advance(run.dev, 1) },
  );
  await schedule('never goes live', (await readClock(run.dev)) + 20 * dayMs, publicUrl);
  const body = { url: 'https://hooks.example.com/hook', events: ['post.published'] };
  await client.request('POST', '/v1/webhooks', body);

  const said = await workspace('delete', workspaceId);
  expect(said).toContain('Deleted.');
  expect(said).toContain(`workspace resume ${workspaceId}`);
  expect(await listed()).toMatch(/ {2}deleting +20/);
  expect(await objectsWith(workspaceId)).not.toEqual([]);
  const youtube = platformOf(run.dev, 'youtube');
  const isRevocation = ({ path, status }: { path: string; status: number }) =>
    path.includes('revoke') && status === 200;
  expect((await youtube.requests()).filter(isRevocation)).toEqual([]);

  await advance(run.dev, (30 * dayMs) / secondMs);
  await until(listed, (line) => line === undefined, {
    withinSeconds: 120,
    meanwhile: () => advance(run.dev, hourMs / secondMs),
  });
  expect((await youtube.requests()).filter(isRevocation)).toHaveLength(1);
  expect(await objectsWith(workspaceId)).toEqual([]);
  expect((await itemsWith(workspaceId)).map(({ pk, kind }) => ({ pk, kind }))).toEqual([
    { pk: 'AUDIT#stage', kind: 'auditEntry' },
  ]);
  expect((await fetch(publicUrl)).ok).toBe(false);
  expect((await client.request('GET', '/v1/accounts')).status).toBeGreaterThanOrEqual(401);
  expect(await platformOf(run.dev, 'threads').postsSaying('never goes live')).toEqual([]);
  await other.expectStatus(200, 'GET', '/v1/accounts');
}, 300_000);
