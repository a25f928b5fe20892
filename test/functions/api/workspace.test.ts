import { beforeAll, describe, expect, it } from 'vitest';
import { readWatch, storeWatch } from '../../../lib/incidents/store.ts';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { Platform } from '../../../lib/platforms/contract/names.ts';
import { bucketOf } from '../../../lib/punctuality/histogram.ts';
import { readPunctuality } from '../../../lib/punctuality/read.ts';
import { batchPut } from '../../../lib/table/batch-write.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { deleteItem, putItem, updateItem } from '../../../lib/table/items.ts';
import { punctualityKey, watchKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createKey, revokeKeyById } from '../../../lib/workspaces/manage-keys.ts';
import { listWorkspaces } from '../../../lib/workspaces/store.ts';
import { anOperator } from '../../support/acts.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';

let call: Call;
let table: Table;
beforeAll(async () => {
  ({ call, table } = await openApi());
});

const open = () => openWorkspace(table, { name: 'Demo', storageQuotaBytes: 5_000 });
const read = async (apiKey: string) => (await call('workspace-read', { apiKey })).body['workspace'];

describe('GET /v1/workspace', () => {
  it('shows a workspace that has only a key', async () => {
    const { apiKey, workspace } = await open();
    expect((await call('workspace-read', { apiKey })).body).toEqual({
      workspace: {
        id: workspace.id,
        name: 'Demo',
        timezone: 'UTC',
        createdAt: toTimestamp(startMs),
        eventFeed: false,
        eventFeedSince: null,
        storage: { usedBytes: 0, quotaBytes: 5_000 },
        counts: { accounts: 0, webhooks: 0, keys: 1 },
        incidents: [],
      },
    });
  });

  it('says that a platform has trouble, to everybody', async () => {
    const { apiKey } = await open();
    // The operation uses the real time.
    const now = Date.now();
    const since = toTimestamp(now - 20 * minuteMs);
    const incidents = [
      { platform: 'threads', kind: 'outage', since } as const,
      { platform: 'youtube', kind: 'late', since } as const,
    ];
    const watch = { checkedAt: toTimestamp(now), putOff: [], recoveries: [], incidents };
    await storeWatch(table, await readWatch(table), watch);
    const message = expect.stringMatching(/^Threads has had trouble since \d\d:\d\d UTC/);
    expect(await read(apiKey)).toMatchObject({ incidents: [{ platform: 'threads', since, message }] });
  });

  it('says nothing about platforms if a later release has noted one that this one does not know', async () => {
    const { apiKey } = await open();
    const checkedAt = toTimestamp(Date.now());
    const incidents = [{ platform: 'later', kind: 'outage', since: checkedAt }];
    const notes = { checkedAt, putOff: [], recoveries: [], incidents };
    await putItem(table, { ...watchKey, kind: 'watch', ...notes }, unconditionally);
    expect(await read(apiKey)).toMatchObject({ incidents: [] });
    await deleteItem(table, watchKey, unconditionally);
  });

  it('says nothing about platforms if no sweep has looked for minutes', async () => {
    const { apiKey } = await open();
    const checkedAt = toTimestamp(Date.now() - 6 * minuteMs);
    const incidents = [{ platform: 'threads', kind: 'outage', since: checkedAt } as const];
    await storeWatch(table, await readWatch(table), { checkedAt, putOff: [], recoveries: [], incidents });
    expect(await read(apiKey)).toMatchObject({ incidents: [] });
  });

  it('counts storage as used from the grant on', async () => {
    const { apiKey } = await open();
    const body = { filename: 'a.jpg', contentType: 'image/jpeg', size: 1_234 };
    expect((await call('media-presign', { apiKey, body })).status).toBe(200);
    expect(await read(apiKey)).toMatchObject({ storage: { usedBytes: 1_234, quotaBytes: 5_000 } });
  });

  it('counts connected accounts, registered endpoints and keys that are not revoked', async () => {
    const { apiKey, context } = await open();
    const { workspaceId } = context;
    await Promise.all([
      storeAccount(table, workspaceId),
      storeAccount(table, workspaceId, { status: 'expired' }),
      storeAccount(table, workspaceId, { disconnectedAt: toTimestamp(startMs) }),
    ]);
    const operator = anOperator(table, startMs);
    const { key } = await createKey(operator, { workspaceId, name: 'old' });
    await revokeKeyById(operator, { workspaceId, keyId: key.id });
    const ids: string[] = [];
    for (const path of ['one', 'two']) {
      const body = { url: `http://127.0.0.1:9/${path}`, events: ['post.failed'] };
      const { webhook } = (await call('webhooks-create', { apiKey, body })).body as {
        webhook: { id: string };
      };
      ids.push(webhook.id);
    }
    expect(await read(apiKey)).toMatchObject({ counts: { accounts: 2, webhooks: 2, keys: 1 } });
    await call('webhooks-delete', { apiKey, path: { id: ids[0] ?? '' } });
    expect(await read(apiKey)).toMatchObject({ counts: { webhooks: 1 } });
  });

  it('shows each key its own workspace', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    expect(await read(one.apiKey)).toMatchObject({ id: one.workspace.id });
    expect(await read(other.apiKey)).toMatchObject({ id: other.workspace.id });
  });
});

describe('PATCH /v1/workspace', () => {
  it('changes the name, which operators see too, and the time zone', async () => {
    const { apiKey, workspace } = await open();
    const answer = await call('updateWorkspace', { apiKey, body: { name: ' Harbour Coffee ' } });
    expect(answer).toMatchObject({
      status: 200,
      body: { workspace: { name: 'Harbour Coffee', timezone: 'UTC' } },
    });
    await call('updateWorkspace', { apiKey, body: { timezone: 'Europe/Istanbul' } });
    expect(await read(apiKey)).toMatchObject({ name: 'Harbour Coffee', timezone: 'Europe/Istanbul' });
    const listed = (await listWorkspaces(table)).find(({ id }) => id === workspace.id);
    expect(listed).toMatchObject({ name: 'Harbour Coffee' });
  });

  it.each([
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'x\nid=1  name=other' }],
    ['name', { name: '\u001b[2Jx' }],
    ['name', { name: 'a\u202eb' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
  ])('refuses a wrong %s and changes nothing', async (field, body) => {
    const { apiKey } = await open();
    const answer = await call('updateWorkspace', { apiKey, body });
    expect(answer).toMatchObject({ status: 400, body: { param: field } });
    expect(await read(apiKey)).toMatchObject({ name: 'Demo', timezone: 'UTC' });
  });
});
describe('GET /v1/workspace/punctuality', () => {
  it('shows the figures of seven days by default', async () => {
    const { apiKey, context } = await open();
    const { workspaceId } = context;
    // The operation uses the real time; yesterday is within the seven days even if the day ends meanwhile.
    const day = toTimestamp(Date.now() - dayMs).slice(0, 10);
    await updateItem(table, punctualityKey(workspaceId, day, 'instagram'), {
      set: { kind: 'punctuality' },
      add: {
        count: 2,
        withinOneSecond: 1,
        firstTry: 1,
        laterTry: 1,
        [`b${bucketOf(300)}`]: 1,
        [`b${bucketOf(90_000)}`]: 1,
      },
      if: unconditionally,
    });
    const figures = {
      ...{ count: 2, withinOneSecond: 0.5, atFirstTry: 0.5, p50Ms: expect.closeTo(300, -1) },
      ...{
        p90Ms: expect.closeTo(90_000, -4),
        p95Ms: expect.closeTo(90_000, -4),
        p99Ms: expect.closeTo(90_000, -4),
      },
      worstMs: expect.closeTo(90_000, -4),
    };
    expect((await call('getPunctuality', { apiKey })).body).toEqual({
      punctuality: {
        from: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/),
        to: expect.any(String),
        ...figures,
        platforms: [{ platform: 'instagram', ...figures }],
      },
    });
  });

  it.each(['0', '91', '7.5', 'all'])('refuses days=%s', async (days) => {
    const { apiKey } = await open();
    expect((await call('getPunctuality', { apiKey, query: `days=${days}` })).status).toBe(400);
  });

  it('reads 90 days of all platforms in at most three requests of bounded size', async () => {
    const { context } = await open();
    const { workspaceId } = context;
    const buckets = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`b${200 + index}`, 1_000]));
    const keys = Array.from({ length: 90 }, (_, day) =>
      toTimestamp(startMs - day * dayMs).slice(0, 10),
    ).flatMap((day) =>
      Platform.options.flatMap((platform) => [0, 1, 2, 3].map((shard) => [day, platform, shard] as const)),
    );
    const items = keys.map(([day, platform, shard]) => ({
      ...punctualityKey(workspaceId, day, platform),
      // As an earlier release stored them.
      sk: `${day}#${platform}#${shard}`,
      ...{ kind: 'punctuality', count: 150_000, withinOneSecond: 0, ...buckets },
    }));
    await batchPut(table, items);
    const { counted, requests } = countingTable(table);
    const { count } = await readPunctuality({ table: counted, workspaceId, now: startMs }, 90);
    expect(count).toBe(90 * 7 * 4 * 150_000);
    expect(requests()).toBeLessThanOrEqual(3);
  });
});

/** A table that counts the requests it gets. */
function countingTable(real: Table) {
  let requests = 0;
  const client = new Proxy(real.client, {
    get: (target, name) => {
      if (name === 'send') requests += 1;
      return Reflect.get(target, name, target);
    },
  });
  return { counted: { ...real, client }, requests: () => requests };
}
