import { beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../../lib/access/permissions.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { auditPartition } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { createKey, revokeKeyById, rotateKey } from '../../../lib/workspaces/manage-keys.ts';
import { permissionsOf } from '../../../lib/workspaces/schemas.ts';
import { findCaller, listKeys } from '../../../lib/workspaces/store.ts';
import { anOperator } from '../../support/acts.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let workspaceId: string;
beforeAll(async () => {
  table = await createTestTable();
  workspaceId = (await openWorkspace(table)).context.workspaceId;
});

const operator = () => anOperator(table, startMs, 'key.create');
const create = (limits: Omit<Parameters<typeof createKey>[1], 'workspaceId' | 'name'>) =>
  createKey(operator(), { workspaceId, name: 'till', ...limits });
const found = (apiKey: string) => findCaller(table, apiKeyDigest(apiKey));

describe('a new API key', () => {
  it('has its limits in the list and in what each request looks up', async () => {
    const accounts = await Promise.all([storeAccount(table, workspaceId), storeAccount(table, workspaceId)]);
    const limits = {
      permissions: ['read', 'publish'] as const,
      accountIds: accounts.map(({ id }) => id),
      expiresAt: '2026-06-01T00:00:00.000Z',
    };
    const { key, apiKey } = await create(limits);
    expect(key).toMatchObject(limits);
    expect(await found(apiKey)).toMatchObject({ ...limits, keyId: key.id });
    expect(await listKeys(table, workspaceId)).toContainEqual(key);
  });

  it('has no limits unless they are given', async () => {
    const { key, apiKey } = await create({});
    const caller = await found(apiKey);
    for (const field of ['permissions', 'accountIds', 'expiresAt']) {
      expect(key).not.toHaveProperty(field);
      expect(caller).not.toHaveProperty(field);
    }
  });

  it('names who created it, and its last four characters', async () => {
    const { key, apiKey } = await create({});
    expect(key).toMatchObject({ createdBy: { kind: 'operator', id: 'ada' }, lastFour: apiKey.slice(-4) });
  });

  it('keeps each permission and account once, in one order', async () => {
    const { id } = await storeAccount(table, workspaceId);
    const { key } = await create({ permissions: ['publish', 'read', 'publish'], accountIds: [id, id] });
    expect(key).toMatchObject({ permissions: ['read', 'publish'], accountIds: [id] });
  });

  it('with permissions that release 0.1.0 does not know has these apart, so that it grants no more there', async () => {
    const stored = (permissions: readonly Permission[]) =>
      create({ permissions }).then(async ({ apiKey }) => ({ ...(await found(apiKey)) }));
    expect(await stored(['draft'])).toMatchObject({ permissions: [], laterPermissions: ['draft'] });
    const mixed = await stored(['publish', 'draft', 'read']);
    expect(mixed).toMatchObject({ permissions: ['read', 'publish'], laterPermissions: ['draft'] });
    expect(permissionsOf(mixed)).toEqual(['read', 'draft', 'publish']);
    expect(await stored(['read'])).not.toHaveProperty('laterPermissions');
  });

  it('keeps such permissions when it is rotated', async () => {
    const { key } = await create({ permissions: ['draft'] });
    const { apiKey } = await rotateKey(operator(), { workspaceId, keyId: key.id });
    expect(permissionsOf((await found(apiKey)) ?? {})).toEqual(['draft']);
  });

  const someIds = (count: number) => Array.from({ length: count }, () => newId(startMs));
  const inFiveYears = startMs + 5 * 366 * dayMs;
  const wrong: readonly (readonly [string, Parameters<typeof create>[0], string])[] = [
    ['no permission', { permissions: [] }, 'permissions: must name at least one of: read, draft'],
    ['an unknown permission', { permissions: ['read', 'reed'] }, 'permissions: "reed" is not one of: read'],
    ['no account', { accountIds: [] }, 'accounts: must name at least one account'],
    ['more than 100 accounts', { accountIds: someIds(101) }, 'accounts: there may be at most 100'],
    ['what is no account id', { accountIds: ['instagram'] }, 'accounts: instagram is not an account'],
    ['an unknown account', { accountIds: someIds(1) }, 'is not an account of this workspace'],
    ['no date', { expiresAt: 'tomorrow' }, 'expires: must be a date and time'],
    ['the present moment', { expiresAt: toTimestamp(startMs) }, 'expires: must be in the future'],
    ['a time too far away', { expiresAt: toTimestamp(inFiveYears) }, 'expires: must be within 5 years'],
  ];
  it.each(wrong)('is refused with %s', async (_what, limits, message) => {
    const before = (await listKeys(table, workspaceId)).length;
    await expect(create(limits)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message),
    });
    expect(await listKeys(table, workspaceId)).toHaveLength(before);
  });

  it('is refused with an account of another workspace, or one that is disconnected', async () => {
    const other = await openWorkspace(table);
    const foreign = await storeAccount(table, other.context.workspaceId);
    const gone = await storeAccount(table, workspaceId, { disconnectedAt: toTimestamp(startMs) });
    for (const { id } of [foreign, gone])
      await expect(create({ accountIds: [id] })).rejects.toThrow(`accounts: ${id} is not an account`);
  });
});

describe('the audit log', () => {
  const log = async (id: string) =>
    (await queryAll(table, { partition: auditPartition(id) })).map(({ verb, subjectId, actor, at }) => ({
      verb,
      subjectId,
      actor,
      at,
    }));
  const by = { kind: 'operator', id: 'ada' };

  it('has who created, rotated and revoked a key, and when', async () => {
    const { context } = await openWorkspace(table);
    const own = context.workspaceId;
    const begun = (await log(own)).length;
    const at = (verb: Parameters<typeof anOperator>[2], hours: number) =>
      anOperator(table, startMs + hours * 3_600_000, verb);
    const { key } = await createKey(at('key.create', 1), { workspaceId: own, name: 'till' });
    await rotateKey(at('key.rotate', 2), { workspaceId: own, keyId: key.id });
    await revokeKeyById(at('key.revoke', 3), { workspaceId: own, keyId: key.id });
    expect((await log(own)).slice(begun)).toEqual([
      { verb: 'key.create', subjectId: key.id, actor: by, at: '2026-03-01T13:00:00.000Z' },
      { verb: 'key.rotate', subjectId: key.id, actor: by, at: '2026-03-01T14:00:00.000Z' },
      { verb: 'key.revoke', subjectId: key.id, actor: by, at: '2026-03-01T15:00:00.000Z' },
    ]);
  });

  it('has nothing about a change that was refused', async () => {
    const { context } = await openWorkspace(table);
    const own = context.workspaceId;
    const begun = await log(own);
    const unknown = { workspaceId: own, keyId: newId(startMs) };
    await expect(createKey(operator(), { workspaceId: own, name: '' })).rejects.toThrow('name');
    await expect(rotateKey(operator(), unknown)).rejects.toThrow('not found');
    await expect(revokeKeyById(operator(), unknown)).rejects.toThrow('not found');
    expect(await log(own)).toEqual(begun);
  });
});
