import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { startEngineProcess } from '../../infra/local/cloud/engines/dynamodb/engine-process.ts';
import { findEngineProgram } from '../../infra/local/cloud/engines/dynamodb/engine-program.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { putRepairTask } from '../../lib/overdue/repair-tasks.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import { restoreFiles } from '../../lib/recovery/restore/files.ts';
import { holdDoubtful } from '../../lib/recovery/restore/hold.ts';
import { scheduleAllWakes } from '../../lib/recovery/restore/wakes.ts';
import { batchPut, batchWrite } from '../../lib/table/batch-write.ts';
import type { Item } from '../../lib/table/items.ts';
import type { Key } from '../../lib/table/keys.ts';
import { openTable, type Table } from '../../lib/table/table.ts';
import { accessTo, createTable } from '../support/create-table.ts';
import { startTestCloud, type TestCloud } from '../support/local-cloud.ts';
import { clientOf, settled, targetOf, until } from './support/client.ts';
import { advance, advanceTo, passing, readClock } from './support/clock.ts';
import { platformOf } from './support/platforms.ts';

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
});
afterAll(async () => {
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

const never = (what: string, error: unknown) => {
  throw new Error(`${what} was not restored`, { cause: error });
};

it('after the loss of table, schedules and a file, everything planned goes live, and nothing twice', async () => {
  const table = openTableAsAdministrator(cloud);
  const client = clientOf(cloud, cloud.demo);
  const threads = platformOf(cloud, 'threads');
  const startMs = await readClock(cloud);
  const minutes = (count: number) => startMs + count * 60_000;
  const plan = async (content: string, dueMs: number, platform = 'threads', media: object = {}) =>
    client.createPost({
      content,
      platforms: [{ accountId: client.accountId(platform) }],
      scheduledFor: new Date(dueMs).toISOString(),
      ...media,
    });
  const url = await client.upload('image.jpg');
  const live = await plan('live before the loss', minutes(5));
  const planned = await plan('planned before the loss', minutes(40));
  const withFile = await plan('with a file that is lost', minutes(50), 'instagram', {
    mediaItems: [{ type: 'image', url }],
  });

  // The backup, and what happens after it.
  const backup = await everythingIn(table);
  const sinceMs = await readClock(cloud);
  await advanceTo(cloud, minutes(5));
  await settled(client, live.id, passing(cloud, 2));
  expect(await threads.postsSaying('live before the loss')).toHaveLength(1);

  // The loss: the table, with that the schedules, and a file.
  const lost = await everythingIn(table);
  await batchWrite(table, { deletes: lost.map(({ pk, sk }) => ({ pk, sk }) as Key) });
  await advance(cloud, 120);
  const [bucket] = cloud.model.buckets;
  const s3 = new S3Client({
    endpoint: cloud.awsEndpoint,
    region: cloud.model.region,
    credentials: cloud.administrator,
    forcePathStyle: true,
  });
  const objectKey = new URL(url).pathname.slice(1);
  await s3.send(new DeleteObjectCommand({ Bucket: bucket?.name, Key: objectKey }));

  // The backup is restored under another name and made safe, and then the service uses it.
  const nowMs = await readClock(cloud);
  await batchPut(restored, backup);
  const ports = { now: () => nowMs, uniqueId: () => newId(nowMs), report: never };
  const held = await holdDoubtful({ ...ports, table: restored }, { sinceMs, untilMs: nowMs });
  expect(held).toMatchObject({ targets: 1, failures: 0 });
  await batchPut(table, await everythingIn(restored));
  const store = (wake: PublishMessage) => putRepairTask(table, { kind: 'schedule wake', wake }, nowMs, 0);
  await scheduleAllWakes({ ...ports, table, enqueue: store, schedule: store });
  const files = await restoreFiles({ ...ports, table, exists: async (key) => key !== objectKey });
  expect(files).toMatchObject({ lost: 1, failures: 0 });

  const found = await settled(client, live.id, passing(cloud, 10));
  expect(found.status).toBe('published');
  expect(await threads.postsSaying('live before the loss')).toHaveLength(1);

  await advanceTo(cloud, minutes(40));
  expect((await settled(client, planned.id, passing(cloud, 5))).status).toBe('published');
  expect(await threads.postsSaying('planned before the loss')).toHaveLength(1);

  await advanceTo(cloud, minutes(50));
  const failed = await until(
    () => client.readPost(withFile.id),
    ({ status }) => status === 'failed',
    passing(cloud, 5),
  );
  expect(targetOf(failed, 'instagram').error).toContain('upload it again');
}, 240_000);
