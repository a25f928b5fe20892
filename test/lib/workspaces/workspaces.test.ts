import { beforeAll, describe, expect, it } from 'vitest';
import type { Verb } from '../../../lib/access/verbs.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { auditPartition } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { createWorkspace, setRedirectHosts, setStorageQuota } from '../../../lib/workspaces/manage.ts';
import { createKey, revokeKeyById } from '../../../lib/workspaces/manage-keys.ts';
import { findCaller, getWorkspace, listKeys, listWorkspaces } from '../../../lib/workspaces/store.ts';
import { anOperator } from '../../support/acts.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});
const operator = (now = startMs) => anOperator(table, now);

describe('a workspace', () => {
  it('is stored with all of its quota free, and listed', async () => {
    const made = await createWorkspace(operator(), { name: '  Demo ', storageQuotaBytes: 5_000 });
    expect(made).toMatchObject({ name: 'Demo', storageQuotaBytes: 5_000, storageFreeBytes: 5_000 });
    expect(await getWorkspace(table, made.id)).toEqual(made);
    expect(await listWorkspaces(table)).toContainEqual({ id: made.id, name: 'Demo', state: 'active' });
  });

  it('has 10 GiB unless another quota is given', async () => {
    expect((await createWorkspace(operator(), { name: 'x' })).storageQuotaBytes).toBe(10_737_418_240);
  });

  it('may share its name with another, but not its id or cursor secret', async () => {
    const [one, other] = await Promise.all([
      createWorkspace(operator(), { name: 'Twin' }),
      createWorkspace(operator(), { name: 'Twin' }),
    ]);
    expect(one.id).not.toBe(other.id);
    expect(one.cursorSecret).not.toBe(other.cursorSecret);
  });

  it.each(['', '   ', 'x'.repeat(101)])('cannot be called %j', async (name) => {
    await expect(createWorkspace(operator(), { name })).rejects.toThrow(
      'name: must have 1 to 100 characters',
    );
  });

  it('that does not exist is not found', async () => {
    await expect(getWorkspace(table, newId(startMs))).rejects.toMatchObject({ code: 'not_found' });
    await expect(createKey(operator(), { workspaceId: newId(startMs), name: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a key', () => {
  it('gives access to its workspace and is not stored itself', async () => {
    const workspace = await createWorkspace(operator(), { name: 'x' });
    const { key, apiKey } = await createKey(operator(), { workspaceId: workspace.id, name: 'Laptop' });
    expect(await findCaller(table, apiKeyDigest(apiKey))).toEqual({
      workspaceId: workspace.id,
      keyId: key.id,
      cursorSecret: workspace.cursorSecret,
    });
    expect(key).toMatchObject({ name: 'Laptop', createdAt: toTimestamp(startMs) });
    expect(JSON.stringify(await listKeys(table, workspace.id))).not.toContain(apiKey);
  });

  it('is one of several that are revoked independently', async () => {
    const { context, apiKey: first } = await openWorkspace(table);
    const { workspaceId } = context;
    const second = await createKey(operator(), { workspaceId, name: 'second' });
    await revokeKeyById(operator(startMs + 1), { workspaceId, keyId: second.key.id });
    expect(await findCaller(table, apiKeyDigest(second.apiKey))).toBeUndefined();
    expect(await findCaller(table, apiKeyDigest(first))).toMatchObject({ workspaceId });
    const listed = await listKeys(table, workspaceId);
    expect(listed.map(({ name, revokedAt }) => [name, revokedAt])).toEqual(
      expect.arrayContaining([
        ['test', undefined],
        ['second', toTimestamp(startMs + 1)],
      ]),
    );
  });

  it('keeps its first time of revocation if it is revoked twice', async () => {
    const { context } = await openWorkspace(table);
    const { workspaceId } = context;
    const keyId = context.actor.id;
    await revokeKeyById(operator(), { workspaceId, keyId });
    await revokeKeyById(operator(startMs + 5_000), { workspaceId, keyId });
    expect((await listKeys(table, workspaceId))[0]?.revokedAt).toBe(toTimestamp(startMs));
  });

  it('of another workspace is not found and stays valid', async () => {
    const [own, foreign] = await Promise.all([openWorkspace(table), openWorkspace(table)]);
    await expect(
      revokeKeyById(operator(), { workspaceId: own.context.workspaceId, keyId: foreign.context.actor.id }),
    ).rejects.toMatchObject({ code: 'not_found', message: 'key not found' });
    expect(await findCaller(table, apiKeyDigest(foreign.apiKey))).toBeDefined();
  });

  it('that was never issued gives access to nothing', async () => {
    expect(await findCaller(table, apiKeyDigest(`yay_${'0'.repeat(46)}`))).toBeUndefined();
  });
});

describe('the audit log of a workspace', () => {
  it('begins with its creation, and has each change by an operator', async () => {
    const by = (verb: Verb) => anOperator(table, startMs, verb);
    const { id: workspaceId } = await createWorkspace(by('workspace.create'), { name: 'x' });
    await setStorageQuota(by('workspace.set-quota'), { workspaceId, storageQuotaBytes: 5 });
    await setRedirectHosts(by('workspace.set-redirect-hosts'), { workspaceId, hosts: ['app.example.com'] });
    const entries = await queryAll(table, { partition: auditPartition(workspaceId) });
    // Within a millisecond, ids are in no order.
    expect(entries.map(({ verb }) => verb).sort()).toEqual([
      'workspace.create',
      'workspace.set-quota',
      'workspace.set-redirect-hosts',
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        subjectId: workspaceId,
        actor: { kind: 'operator', id: 'ada' },
        requestId: 'test-run',
        outcome: 'done',
        at: toTimestamp(startMs),
      });
    }
  });

  it('has nothing about a change of a workspace that does not exist', async () => {
    const workspaceId = newId(startMs);
    await expect(setStorageQuota(operator(), { workspaceId, storageQuotaBytes: 5 })).rejects.toThrow(
      'not found',
    );
    await expect(setRedirectHosts(operator(), { workspaceId, hosts: [] })).rejects.toThrow('not found');
    expect(await queryAll(table, { partition: auditPartition(workspaceId) })).toEqual([]);
  });
});
