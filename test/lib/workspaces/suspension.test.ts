import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../../../functions/middleware/authenticate.ts';
import type { Verb } from '../../../lib/access/verbs.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { findPause } from '../../../lib/pauses/manage.ts';
import { getItem, updateItem } from '../../../lib/table/items.ts';
import { auditPartition, directoryKey, keyDigestKey } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import { indexes } from '../../../lib/table/schema.ts';
import type { Table } from '../../../lib/table/table.ts';
import { removed } from '../../../lib/table/update.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { createWorkspace } from '../../../lib/workspaces/manage.ts';
import { createKey, rotateKey } from '../../../lib/workspaces/manage-keys.ts';
import { type Workspace, workspaceState } from '../../../lib/workspaces/schemas.ts';
import { getWorkspace, listKeys, listWorkspaces } from '../../../lib/workspaces/store.ts';
import { deleteWorkspace, resumeWorkspace, suspendWorkspace } from '../../../lib/workspaces/suspension.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const now = Date.parse('2030-01-01T00:00:00Z');
const operator = (verb: Verb, atMs = now) => ({
  table,
  now: atMs,
  actor: { kind: 'operator', id: 'ann' } as const,
  verb,
  requestId: 'run-1',
});
const suspend = (reason?: string, atMs?: number) =>
  suspendWorkspace(operator('workspace.suspend', atMs), workspace.id, reason);
const resume = (atMs?: number) => resumeWorkspace(operator('workspace.resume', atMs), workspace.id);
const remove = (reason?: string, atMs?: number) =>
  deleteWorkspace(operator('workspace.delete', atMs), workspace.id, reason);

let workspace: Workspace;
let apiKey: string;
let keyId: string;
beforeEach(async () => {
  workspace = await createWorkspace(operator('workspace.create'), { name: 'one' });
  const created = await createKey(operator('key.create'), { workspaceId: workspace.id, name: 'backend' });
  apiKey = created.apiKey;
  keyId = created.key.id;
});

const authenticate = (key: string) => new Authenticator(table).authenticate(`Bearer ${key}`, now);
const state = async () => workspaceState(await getWorkspace(table, workspace.id));
const pause = () => findPause(table, { kind: 'workspace', workspaceId: workspace.id });
const auditLog = async () => {
  const entries = await queryAll(table, { partition: auditPartition(workspace.id) });
  const offboarding = entries.filter(({ verb }) => /^workspace\.(suspend|resume|delete)$/.test(String(verb)));
  return offboarding.map(({ verb, actor, note, subjectId }) => ({ verb, actor, note, subjectId }));
};
const listed = async () => (await listWorkspaces(table)).find(({ id }) => id === workspace.id);

describe('suspending a workspace', () => {
  it('also refuses the value that a rotation has left valid for a while', async () => {
    await rotateKey(operator('key.rotate'), { workspaceId: workspace.id, keyId, overlapMs: dayMs });
    await expect(authenticate(apiKey)).resolves.toBeDefined();
    expect(await suspend()).toMatchObject({ keys: 2 });
    await expect(authenticate(apiKey)).rejects.toMatchObject({ code: 'workspace_suspended' });
  });

  it('refuses its keys with 403, and pauses its publishing with the reason', async () => {
    await suspend('the invoice is open');
    await expect(authenticate(apiKey)).rejects.toMatchObject({ code: 'workspace_suspended' });
    expect(await pause()).toMatchObject({ reason: 'the invoice is open', since: toTimestamp(now) });
    expect(await state()).toBe('suspended');
    expect(await listed()).toMatchObject({ name: 'one', state: 'suspended' });
  });

  it('is in the audit log with the operator and the reason', async () => {
    await suspend('the invoice is open');
    expect(await auditLog()).toEqual([
      {
        verb: 'workspace.suspend',
        actor: { kind: 'operator', id: 'ann' },
        note: 'the invoice is open',
        subjectId: workspace.id,
      },
    ]);
  });

  it('also refuses keys that are created or rotated while it lasts', async () => {
    await suspend();
    const created = await createKey(operator('key.create'), { workspaceId: workspace.id, name: 'late' });
    const rotated = await rotateKey(operator('key.rotate'), { workspaceId: workspace.id, keyId });
    for (const key of [created.apiKey, rotated.apiKey])
      await expect(authenticate(key)).rejects.toMatchObject({ code: 'workspace_suspended' });
  });

  it('refuses a key that is created at the same time, whichever comes first', async () => {
    const keys = await Promise.allSettled([
      ...Array.from({ length: 5 }, () =>
        createKey(operator('key.create'), { workspaceId: workspace.id, name: 'x' }),
      ),
      suspend(),
      ...Array.from({ length: 5 }, () =>
        createKey(operator('key.create'), { workspaceId: workspace.id, name: 'x' }),
      ),
    ]);
    for (const each of keys) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
      else if ('apiKey' in each.value)
        await expect(authenticate(each.value.apiKey)).rejects.toMatchObject({ code: 'workspace_suspended' });
    }
  });

  it('completes, if repeated, what a crash has left: the first time and reason stay', async () => {
    await suspend('first');
    await updateItem(table, keyDigestKey(apiKeyDigest(apiKey)), { set: { suspendedAt: removed }, if: {} });
    await expect(authenticate(apiKey)).resolves.toBeDefined();
    const again = await suspend('second', now + dayMs);
    expect(again).toMatchObject({ isRepeated: true, keys: 1 });
    await expect(authenticate(apiKey)).rejects.toMatchObject({ code: 'workspace_suspended' });
    expect(await pause()).toMatchObject({ reason: 'first' });
    expect(await getWorkspace(table, workspace.id)).toMatchObject({ suspendedAt: toTimestamp(now) });
    expect(await auditLog()).toHaveLength(1);
  });

  it('touches no other workspace', async () => {
    const other = await createWorkspace(operator('workspace.create'), { name: 'other' });
    const { apiKey: key } = await createKey(operator('key.create'), {
      workspaceId: other.id,
      name: 'backend',
    });
    await suspend();
    await expect(authenticate(key)).resolves.toMatchObject({ workspaceId: other.id });
  });

  it('is refused for an unknown workspace and for a reason that is not one line', async () => {
    await expect(
      suspendWorkspace(operator('workspace.suspend'), '0197f5e0-0000-7000-8000-000000000000'),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(suspend('a\nb')).rejects.toMatchObject({ code: 'invalid' });
    expect(await state()).toBe('active');
  });
});

describe('resuming a workspace', () => {
  it('admits its keys again, and releases what was held', async () => {
    await suspend();
    const { apiKey: late } = await createKey(operator('key.create'), {
      workspaceId: workspace.id,
      name: 'late',
    });
    await resume(now + dayMs);
    for (const key of [apiKey, late])
      await expect(authenticate(key)).resolves.toMatchObject({ workspaceId: workspace.id });
    expect(await pause()).toBeUndefined();
    expect(await state()).toBe('active');
    expect(await getItem(table, directoryKey(workspace.id))).not.toHaveProperty('state');
    expect((await auditLog()).map(({ verb }) => verb)).toEqual(['workspace.suspend', 'workspace.resume']);
  });

  it('takes a deletion back within the grace', async () => {
    await remove();
    await resume(now + 29 * dayMs);
    expect(await state()).toBe('active');
    expect(await getWorkspace(table, workspace.id)).not.toHaveProperty('dueAt');
    await expect(authenticate(apiKey)).resolves.toMatchObject({ workspaceId: workspace.id });
  });

  it('is refused from the end of the grace on, because the keys are removed then', async () => {
    await remove();
    await expect(resume(now + 30 * dayMs)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('its grace ended at'),
    });
    expect(await state()).toBe('deleting');
  });

  it('completes, if repeated, what a crash has left', async () => {
    await suspend();
    await resume();
    await updateItem(table, keyDigestKey(apiKeyDigest(apiKey)), { set: { suspendedAt: 'x' }, if: {} });
    expect(await resume()).toMatchObject({ isRepeated: true, keys: 1 });
    await expect(authenticate(apiKey)).resolves.toBeDefined();
  });

  it('is refused once the erasure has begun', async () => {
    await remove();
    const { pk, sk } = { pk: `WORKSPACE#${workspace.id}`, sk: 'WORKSPACE' };
    await updateItem(table, { pk, sk }, { set: { erasingSince: toTimestamp(now) }, if: {} });
    await expect(resume()).rejects.toMatchObject({ code: 'conflict' });
    await expect(suspend()).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('deleting a workspace', () => {
  it('suspends it, and makes its erasure due after 30 days', async () => {
    expect(await remove('they have left')).toMatchObject({ deleteAfter: toTimestamp(now + 30 * dayMs) });
    await expect(authenticate(apiKey)).rejects.toMatchObject({ code: 'workspace_suspended' });
    expect(await pause()).toMatchObject({ reason: 'they have left' });
    expect(await listed()).toMatchObject({ state: 'deleting', deleteAfter: toTimestamp(now + 30 * dayMs) });
    const due = { partition: 'ERASURE', index: indexes.overdue };
    expect(await queryAll(table, due)).toContainEqual(
      expect.objectContaining({ pk: `WORKSPACE#${workspace.id}`, dueAt: toTimestamp(now + 30 * dayMs) }),
    );
  });

  it('refuses to create or rotate keys, and lets those that exist expire with the grace', async () => {
    await rotateKey(operator('key.rotate'), { workspaceId: workspace.id, keyId, overlapMs: dayMs });
    await remove();
    const creating = createKey(operator('key.create'), { workspaceId: workspace.id, name: 'late' });
    await expect(creating).rejects.toMatchObject({ code: 'conflict' });
    const rotating = rotateKey(operator('key.rotate'), { workspaceId: workspace.id, keyId });
    await expect(rotating).rejects.toMatchObject({ code: 'conflict' });
    const [key] = await listKeys(table, workspace.id);
    const [value, former] = await Promise.all(
      [key?.digest, key?.previousDigest].map((digest = '') => getItem(table, keyDigestKey(digest))),
    );
    expect(value).toMatchObject({ expiresAtSeconds: (now + 30 * dayMs) / 1_000 });
    expect(former).toMatchObject({ expiresAtSeconds: (now + dayMs) / 1_000, suspendedAt: toTimestamp(now) });
    await resume();
    const again = await getItem(table, keyDigestKey(key?.digest ?? ''));
    expect(again).not.toHaveProperty('expiresAtSeconds');
    expect(again).not.toHaveProperty('suspendedAt');
  });

  it('of a suspended one keeps the pause, and refuses to suspend it again', async () => {
    await suspend('first');
    expect(await remove('second', now + dayMs)).toMatchObject({ isReasonShown: false });
    expect(await state()).toBe('deleting');
    expect(await pause()).toMatchObject({ reason: 'first' });
    await expect(suspend()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of a suspended one checks the reason too', async () => {
    await suspend('first');
    await expect(remove('two\nlines')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('if repeated keeps the end of the grace', async () => {
    await remove();
    expect(await remove(undefined, now + dayMs)).toMatchObject({
      isRepeated: true,
      deleteAfter: toTimestamp(now + 30 * dayMs),
    });
    expect((await auditLog()).map(({ verb }) => verb)).toEqual(['workspace.delete']);
  });
});
