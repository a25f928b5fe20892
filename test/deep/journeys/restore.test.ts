import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { CopyObjectCommand, DeleteObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { OperatorCommand } from '../../../bin/admin/command.ts';
import { parseCommand } from '../../../bin/admin/command-line.ts';
import { outputTo } from '../../../bin/admin/output.ts';
import { restoreCommands } from '../../../bin/admin/restore.ts';
import { openTableAsAdministrator } from '../../../bin/dev/demo-workspaces.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { batchPut, batchWrite } from '../../../lib/table/batch-write.ts';
import type { Item } from '../../../lib/table/items.ts';
import { type Key, postKey } from '../../../lib/table/keys.ts';
import { openTable, type Table } from '../../../lib/table/table.ts';
import { clientOf, settled, targetOf, until } from '../../journeys/support/client.ts';
import { advance, advanceTo, passing, readClock } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { operatorAct } from '../../support/acts.ts';
import { accessTo, createTable } from '../../support/create-table.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';

let cloud: TestCloud;
let engine: Awaited<ReturnType<typeof startEngineProcess>>;
/** A table that no function uses, as AWS restores a backup. */
let restored: Table;
const directory = mkdtempSync(join(tmpdir(), 'restored-'));
beforeAll(async () => {
  const program = findEngineProgram(directory);
  let endpoint = '';
  engine = await startEngineProcess({
    ...program,
    arguments: (port) => {
      endpoint = `http://127.0.0.1:${port}`;
      return program.arguments(port);
    },
  });
  await createTable('restored', accessTo(endpoint));
  restored = openTable('restored', accessTo(endpoint));
  cloud = await startTestCloud();
  // As the admin command does for a local run.
  vi.stubEnv('AWS_ENDPOINT_URL', cloud.awsEndpoint);
  vi.stubEnv('AWS_REGION', cloud.model.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', cloud.administrator.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', cloud.administrator.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', cloud.administrator.sessionToken);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await cloud.stop();
  await engine.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Everything in a table, as a backup has it. */
async function everythingIn({ name, client }: Table): Promise<Item[]> {
  const items: Item[] = [];
  let after: Item | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: name, ExclusiveStartKey: after }));
    items.push(...(page.Items ?? []));
    after = page.LastEvaluatedKey;
  } while (after);
  return items;
}

/** Runs a line of `npm run admin` on a table, and returns its result. @throws Error if it does not end with 0 */
async function admin(table: Table, ...line: string[]): Promise<unknown> {
  const parsed = parseCommand(restoreCommands, line);
  if (parsed.state !== 'run') throw new Error(`${line.join(' ')}: ${JSON.stringify(parsed)}`);
  const command = parsed.command as OperatorCommand;
  const printed: string[] = [];
  const collect = () =>
    new Writable({
      write: (chunk, _encoding, done) => {
        printed.push(String(chunk));
        done();
      },
    });
  const out = outputTo(collect(), new Writable({ write: (_chunk, _encoding, done) => done() }), true);
  const context = {
    ...operatorAct(command.verb),
    stage: 'dev',
    isLocal: true,
    table,
    now: await readClock(cloud),
    out,
  };
  const code = (await command.run(context, parsed.words, parsed.options)) ?? 0;
  if (code !== 0) throw new Error(`${line.join(' ')} ended with ${code}: ${printed.join('')}`);
  return JSON.parse(printed.join(''));
}

it('after the loss of table, schedules and files, everything planned goes live, and nothing twice', async () => {
  const table = openTableAsAdministrator(cloud);
  const client = clientOf(cloud, cloud.demo);
  const threads = platformOf(cloud, 'threads');
  const startMs = await readClock(cloud);
  const minutes = (count: number) => startMs + count * 60_000;
  const at = (count: number) => toTimestamp(minutes(count));
  const plan = async (content: string, dueAt: string, platform = 'threads', media: object = {}) =>
    client.createPost({
      content,
      platforms: [{ accountId: client.accountId(platform) }],
      scheduledFor: dueAt,
      ...media,
    });
  const timesLive = async (text: string) => (await threads.postsSaying(text)).length;
  const [lostUrl, copiedUrl] = [await client.upload('image.jpg'), await client.upload('image.jpg')];
  const image = (url: string) => ({ mediaItems: [{ type: 'image', url }] });
  const live = await plan('live before the loss', at(5));
  const missed = await plan('missed before the loss', at(6));
  const moved = await plan('moved before the loss', at(60));
  const planned = await plan('planned before the loss', at(40));
  const withLost = await plan('with a file that is lost', at(50), 'instagram', image(lostUrl));
  const withCopy = await plan('with a file that has a copy', at(50), 'instagram', image(copiedUrl));

  // The backup, and what happens after it.
  const backup = await everythingIn(table);
  const sinceAt = toTimestamp(await readClock(cloud));
  const { pk } = postKey(cloud.demo.id, missed.id);
  const ofMissed = (await everythingIn(table)).filter((item) => item['pk'] === pk);
  await batchWrite(table, { deletes: ofMissed.map(({ sk }) => ({ pk, sk }) as Key) });
  await client.expectStatus(200, 'PATCH', `/v1/posts/${moved.id}`, { scheduledFor: at(7) });
  await advanceTo(cloud, minutes(5));
  await settled(client, live.id, passing(cloud, 2));
  await advanceTo(cloud, minutes(7));
  await settled(client, moved.id, passing(cloud, 2));
  for (const text of ['live before the loss', 'moved before the loss']) expect(await timesLive(text)).toBe(1);
  expect(await timesLive('missed before the loss')).toBe(0);

  // The backup is restored under another name, and made safe.
  await batchPut(restored, backup);
  const [group] = cloud.model.scheduleGroups;
  const gap = ['--since', sinceAt, '--schedules', group?.name ?? '', '--table', restored.name];
  const doubtful = await admin(restored, 'restore', 'plan', ...gap);
  expect(doubtful).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ post: live.id, why: 'due' }),
      expect.objectContaining({ post: moved.id, why: 'moved or deleted since' }),
    ]),
  );
  expect(await admin(restored, 'restore', 'hold', ...gap)).toMatchObject({
    targets: 2,
    unscheduled: 1,
    failures: 0,
  });

  // The loss: the table, with that the schedules, and two files of which one has a copy. The local cloud has another bucket.
  const lost = await everythingIn(table);
  await batchWrite(table, { deletes: lost.map(({ pk, sk }) => ({ pk, sk }) as Key) });
  await advance(cloud, 120);
  const s3 = new S3Client({ forcePathStyle: true });
  const keyOf = (url: string) => new URL(url).pathname.slice(1);
  const buckets = await Promise.all(
    cloud.model.buckets.map(async ({ name }) => {
      const command = new HeadObjectCommand({ Bucket: name, Key: keyOf(copiedUrl) });
      return { name, isMedia: await s3.send(command).then(Boolean, () => false) };
    }),
  );
  const [media = '', copies = ''] = [true, false].map(
    (wanted) => buckets.find(({ isMedia }) => isMedia === wanted)?.name,
  );
  const copied = { Bucket: copies, Key: keyOf(copiedUrl), CopySource: `${media}/${keyOf(copiedUrl)}` };
  await s3.send(new CopyObjectCommand(copied));
  for (const url of [lostUrl, copiedUrl])
    await s3.send(new DeleteObjectCommand({ Bucket: media, Key: keyOf(url) }));

  // The service uses the restored table.
  await batchPut(table, await everythingIn(restored));
  expect(await admin(table, 'restore', 'wakes')).toMatchObject({ failures: 0 });
  const files = await admin(table, 'restore', 'files', '--bucket', media, '--copies', copies);
  expect(files).toMatchObject({ copied: 1, lost: 1, failures: 0 });

  for (const { id } of [live, moved])
    expect((await settled(client, id, passing(cloud, 10))).status).toBe('published');
  const doubted = await until(
    () => client.readPost(missed.id),
    ({ status }) => status === 'failed',
    passing(cloud, 10),
  );
  expect(targetOf(doubted, 'threads').errorDetail?.code).toBe('outcome_unknown');
  // The command reads an index, which may not show the failure yet.
  const release = () => admin(table, 'restore', 'release', '--due-after', at(5.5));
  expect(await until(release, (found) => Object(found).posts > 0)).toMatchObject({ posts: 1 });
  const released = await until(
    () => client.readPost(missed.id),
    ({ status }) => status === 'published',
    passing(cloud, 5),
  );
  expect(released.status).toBe('published');

  await advanceTo(cloud, minutes(40));
  expect((await settled(client, planned.id, passing(cloud, 5))).status).toBe('published');
  await advanceTo(cloud, minutes(50));
  expect((await settled(client, withCopy.id, passing(cloud, 5))).status).toBe('published');
  const failed = await until(
    () => client.readPost(withLost.id),
    ({ status }) => status === 'failed',
    passing(cloud, 5),
  );
  expect(targetOf(failed, 'instagram').error).toContain('upload it again');
  await advanceTo(cloud, minutes(62));
  for (const text of ['live', 'missed', 'moved', 'planned'])
    expect([text, await timesLive(`${text} before the loss`)]).toEqual([text, 1]);
}, 240_000);
