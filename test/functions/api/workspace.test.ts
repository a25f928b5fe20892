import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
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
        storage: { usedBytes: 0, quotaBytes: 5_000 },
        counts: { accounts: 0, webhooks: 0, keys: 1 },
      },
    });
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
    ['name', { name: 'x'.repeat(201) }],
    ['timezone', { timezone: 'Mars/Olympus' }],
  ])('refuses a wrong %s and changes nothing', async (field, body) => {
    const { apiKey } = await open();
    const answer = await call('updateWorkspace', { apiKey, body });
    expect(answer).toMatchObject({ status: 400, body: { param: field } });
    expect(await read(apiKey)).toMatchObject({ name: 'Demo', timezone: 'UTC' });
  });
});
