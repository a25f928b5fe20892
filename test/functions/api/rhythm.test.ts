import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../lib/table/table.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { anOperator } from '../../support/acts.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';

let table: Table;
let call: Call;
let apiKey: string;
let otherKey: string;
let workspaceId: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
  const opened = await openWorkspace(table);
  apiKey = opened.apiKey;
  workspaceId = opened.context.workspaceId;
  otherKey = (await createKey(anOperator(table, startMs), { workspaceId, name: 'other' })).apiKey;
});

const defaults = {
  gapMinutes: 120,
  dailyCap: 3,
  dayWindow: { from: '09:00', to: '21:00' },
  collisionBufferMinutes: 15,
  timezone: 'UTC',
};

const anAccount = async () => (await storeAccount(table, workspaceId)).id;
const read = (id: string, key = apiKey) => call('rhythm-read', { apiKey: key, path: { id } });
const set = (id: string, body: object, key = apiKey) =>
  call('rhythm-set', { apiKey: key, path: { id }, body });

describe('the rhythm of an account', () => {
  it('is the default until it is set', async () => {
    expect(await read(await anAccount())).toMatchObject({ status: 200, body: { rhythm: defaults } });
  });

  it('is the one that was set, for the key that set it', async () => {
    const id = await anAccount();
    const rhythm = {
      gapMinutes: 45,
      dailyCap: 8,
      dayWindow: { from: '22:00', to: '02:30' },
      collisionBufferMinutes: 0,
      timezone: 'Europe/Istanbul',
    };
    expect(await set(id, rhythm)).toMatchObject({ status: 200, body: { rhythm } });
    expect((await read(id)).body).toEqual({ rhythm });
    expect((await read(id, otherKey)).body).toEqual({ rhythm: defaults });
  });

  it('has the default for each field that is left out', async () => {
    const id = await anAccount();
    await set(id, { gapMinutes: 45, dailyCap: 8 });
    await set(id, { dailyCap: 5 });
    expect((await read(id)).body).toEqual({ rhythm: { ...defaults, dailyCap: 5 } });
  });

  it('has the default for each field that is null', async () => {
    const id = await anAccount();
    await set(id, { gapMinutes: 45, dailyCap: 8 });
    const nulls = { gapMinutes: null, dayWindow: null, collisionBufferMinutes: null, timezone: null };
    const answer = await set(id, { ...nulls, dailyCap: 5 });
    expect([answer.status, answer.body]).toEqual([
      200,
      { rhythm: { ...defaults, dailyCap: 5 }, warnings: [] },
    ]);
  });

  it.each([
    ['gap', 'gapMinutes'],
    ['gap_minutes', 'gapMinutes'],
    ['daily', 'dailyCap'],
    ['timeZone', 'timezone'],
  ])('warns about an unknown field: %s, if %s is meant', async (field, meant) => {
    const { status, body } = await set(await anAccount(), { [field]: 30 });
    const message = `is not a field of this request and is ignored; did you mean ${meant}?`;
    expect([status, body['warnings']]).toEqual([200, [{ field, code: 'field_unknown', message }]]);
  });

  it.each<[string, object]>([
    ['gapMinutes', { gapMinutes: 0 }],
    ['gapMinutes', { gapMinutes: 10_081 }],
    ['gapMinutes', { gapMinutes: 1.5 }],
    ['dailyCap', { dailyCap: 0 }],
    ['dailyCap', { dailyCap: 101 }],
    ['collisionBufferMinutes', { collisionBufferMinutes: -1 }],
    ['collisionBufferMinutes', { collisionBufferMinutes: 1_441 }],
    ['dayWindow.to', { dayWindow: { from: '09:00' } }],
    ['dayWindow.from', { dayWindow: { from: '9:00', to: '21:00' } }],
    ['dayWindow.to', { dayWindow: { from: '09:00', to: '24:00' } }],
    ['timezone', { timezone: 'Europe/Nowhere' }],
    ['timezone', { timezone: '' }],
  ])('rejects a wrong %s: %j', async (field, body) => {
    const answer = await set(await anAccount(), body);
    expect(answer.status).toBe(400);
    expect(Object.keys((answer.body as { details: { fields: object } }).details.fields)).toEqual([field]);
  });

  it('is not found if the account is disconnected', async () => {
    const disconnectedAt = '2026-03-01T12:00:00.000Z';
    const { id } = await storeAccount(table, workspaceId, { disconnectedAt });
    expect((await read(id)).status).toBe(404);
    expect((await set(id, {})).status).toBe(404);
  });
});
