import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { createWorkspace, setStorageQuota } from '../../../lib/workspaces/manage.ts';
import { createKey, revokeKeyById, rotateKey } from '../../../lib/workspaces/manage-keys.ts';
import { findCaller, getWorkspace, listKeys } from '../../../lib/workspaces/store.ts';
import { anOperator } from '../../support/acts.ts';
import { storeAccount } from '../../support/builders.ts';
import { clientOf } from '../../support/database/database.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const now = Date.parse('2030-01-01T00:00:00Z');

async function openKey() {
  const operator = anOperator(table, now);
  const { id: workspaceId } = await createWorkspace(operator, { name: 'one' });
  const { key, apiKey } = await createKey(operator, { workspaceId, name: 'backend' });
  return { operator, workspaceId, keyId: key.id, apiKey };
}
const speaksFor = (apiKey: string) => findCaller(table, apiKeyDigest(apiKey));

describe('a rotated key', () => {
  it('has a new value under the same id, and the old value is rejected', async () => {
    const { operator, workspaceId, keyId, apiKey } = await openKey();
    const rotated = await rotateKey(operator, { workspaceId, keyId });
    expect(rotated.key.id).toBe(keyId);
    expect(await speaksFor(apiKey)).toBeUndefined();
    expect(await speaksFor(rotated.apiKey)).toMatchObject({ workspaceId, keyId });
    expect(await listKeys(table, workspaceId)).toEqual([rotated.key]);
  });

  it('has exactly one valid value after concurrent rotations; the others get a conflict', async () => {
    const { operator, workspaceId, keyId } = await openKey();
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => rotateKey(operator, { workspaceId, keyId })),
    );
    const issued = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.apiKey] : []));
    const open = (await Promise.all(issued.map(speaksFor))).filter((caller) => caller !== undefined);
    expect(open).toHaveLength(1);
    for (const each of outcomes) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
    }
  });

  it('cannot be a revoked key or one of another workspace', async () => {
    const { operator, workspaceId, keyId } = await openKey();
    const stranger = await openKey();
    await expect(rotateKey(operator, { workspaceId: stranger.workspaceId, keyId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await revokeKeyById(operator, { workspaceId, keyId });
    await expect(rotateKey(operator, { workspaceId, keyId })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a key that is rotated with an overlap', () => {
  const hours = (count: number) => count * 3_600_000;
  /** Returns true if a request with this key would be admitted at this time: the lookup finds it, and it has not expired. */
  const isValid = async (apiKey: string, atMs: number) => {
    const caller = await speaksFor(apiKey);
    return caller !== undefined && (caller.expiresAt === undefined || atMs < Date.parse(caller.expiresAt));
  };

  it('has two values until the overlap ends, under one id', async () => {
    const { operator, workspaceId, keyId, apiKey } = await openKey();
    const rotated = await rotateKey(operator, { workspaceId, keyId, overlapMs: hours(24) });
    expect(rotated.key).toMatchObject({ id: keyId, previousUntil: '2030-01-02T00:00:00.000Z' });
    expect(await speaksFor(apiKey)).toMatchObject({ workspaceId, keyId });
    expect(await isValid(apiKey, now + hours(24) - 1)).toBe(true);
    expect(await isValid(apiKey, now + hours(24))).toBe(false);
    expect(await isValid(rotated.apiKey, now + hours(24))).toBe(true);
    expect(await listKeys(table, workspaceId)).toEqual([rotated.key]);
  });

  it('never has three values: rotating again ends the overlap before', async () => {
    const { operator, workspaceId, keyId, apiKey } = await openKey();
    const second = await rotateKey(operator, { workspaceId, keyId, overlapMs: hours(24) });
    const third = await rotateKey(operator, { workspaceId, keyId, overlapMs: hours(1) });
    expect(await speaksFor(apiKey)).toBeUndefined();
    expect(await isValid(second.apiKey, now + hours(1) - 1)).toBe(true);
    expect(await isValid(second.apiKey, now + hours(1))).toBe(false);
    expect(await isValid(third.apiKey, now)).toBe(true);
    const fourth = await rotateKey(operator, { workspaceId, keyId });
    expect(await speaksFor(second.apiKey)).toBeUndefined();
    expect(await speaksFor(third.apiKey)).toBeUndefined();
    expect(fourth.key).not.toHaveProperty('previousDigest');
    expect(await listKeys(table, workspaceId)).toEqual([fourth.key]);
  });

  it('loses both values when it is revoked', async () => {
    const { operator, workspaceId, keyId, apiKey } = await openKey();
    const rotated = await rotateKey(operator, { workspaceId, keyId, overlapMs: hours(24) });
    await revokeKeyById(operator, { workspaceId, keyId });
    expect(await speaksFor(apiKey)).toBeUndefined();
    expect(await speaksFor(rotated.apiKey)).toBeUndefined();
  });

  it('has an old value that never outlives the expiry of the key', async () => {
    const { operator, workspaceId } = await openKey();
    const expiresAt = toTimestamp(now + hours(2));
    const { key, apiKey } = await createKey(operator, { workspaceId, name: 'short', expiresAt });
    const later = toTimestamp(now + hours(500));
    const request = { workspaceId, keyId: key.id, overlapMs: hours(24), expiresAt: later };
    const rotated = await rotateKey(operator, request);
    expect(await speaksFor(apiKey)).toMatchObject({ expiresAt });
    expect(await speaksFor(rotated.apiKey)).toMatchObject({ expiresAt: later });
  });

  it('has an old value that never outlives the new expiry of the key', async () => {
    const { operator, workspaceId } = await openKey();
    const { key, apiKey } = await createKey(operator, { workspaceId, name: 'open-ended' });
    const expiresAt = toTimestamp(now + hours(24));
    await rotateKey(operator, { workspaceId, keyId: key.id, overlapMs: hours(24 * 7), expiresAt });
    expect(await speaksFor(apiKey)).toMatchObject({ expiresAt });
  });

  it.each([-1, 0.5, Number.NaN, hours(24 * 7) + 1])('may not overlap for %s ms', async (overlapMs) => {
    const { operator, workspaceId, keyId, apiKey } = await openKey();
    await expect(rotateKey(operator, { workspaceId, keyId, overlapMs })).rejects.toMatchObject({
      code: 'invalid',
      message: 'overlap: must be at most 7 days',
    });
    expect(await isValid(apiKey, now)).toBe(true);
  });
});

describe('the limits of a key', () => {
  it('stay when it is rotated', async () => {
    const { operator, workspaceId } = await openKey();
    const { id } = await storeAccount(table, workspaceId);
    const limits = {
      permissions: ['read', 'automate'],
      accountIds: [id],
      expiresAt: '2030-06-01T00:00:00.000Z',
    };
    const { key } = await createKey(operator, { workspaceId, name: 'limited', ...limits });
    const rotated = await rotateKey(operator, { workspaceId, keyId: key.id });
    expect(await speaksFor(rotated.apiKey)).toMatchObject(limits);
    expect(rotated.key).toMatchObject({ ...limits, createdBy: key.createdBy });
  });

  it('let a key expire, which can be rotated only with a new expiry', async () => {
    const { operator, workspaceId } = await openKey();
    const expiresAt = toTimestamp(now + 1_000);
    const { key, apiKey } = await createKey(operator, { workspaceId, name: 'short', expiresAt });
    const late = { ...operator, now: now + 1_000 };
    const request = { workspaceId, keyId: key.id, overlapMs: 60_000 };
    await expect(rotateKey(late, request)).rejects.toMatchObject({
      code: 'conflict',
      message: `key: it expired at ${expiresAt}; give it a new expiry`,
    });
    const renewed = { ...request, expiresAt: '2031-01-01T00:00:00Z' };
    const rotated = await rotateKey(late, renewed);
    expect(await speaksFor(rotated.apiKey)).toMatchObject({ expiresAt: '2031-01-01T00:00:00.000Z' });
    expect(await speaksFor(apiKey)).toBeUndefined();
  });
});

it('a key that somebody rotates while it is revoked has no valid value afterwards', async () => {
  const { operator, workspaceId, keyId, apiKey } = await openKey();
  const values = [apiKey];
  /** Rotates the key after it was read to be revoked, and before that is written. */
  const send = async (command: { readonly input: object }): Promise<unknown> => {
    if ('TransactItems' in command.input && values.length === 1) {
      const rotated = await rotateKey(operator, { workspaceId, keyId, overlapMs: 60_000 });
      values.push(rotated.apiKey);
    }
    return table.client.send(command as never);
  };
  const client = clientOf(send as Parameters<typeof clientOf>[0]);
  await revokeKeyById({ ...operator, table: { ...table, client } }, { workspaceId, keyId });
  expect(values).toHaveLength(2);
  for (const value of values) expect(await speaksFor(value)).toBeUndefined();
});

describe('changing a quota', () => {
  it('changes the free storage by the same amount and rejects what is not a size', async () => {
    const { operator, workspaceId } = await openKey();
    const { storageQuotaBytes } = await getWorkspace(table, workspaceId);
    await setStorageQuota(operator, { workspaceId, storageQuotaBytes: storageQuotaBytes + 5 });
    expect(await getWorkspace(table, workspaceId)).toMatchObject({
      storageQuotaBytes: storageQuotaBytes + 5,
      storageFreeBytes: storageQuotaBytes + 5,
    });
    await setStorageQuota(operator, { workspaceId, storageQuotaBytes: 0 });
    expect(await getWorkspace(table, workspaceId)).toMatchObject({ storageFreeBytes: 0 });
    for (const wrong of [-1, 1.5, Number.NaN]) {
      await expect(
        setStorageQuota(operator, { workspaceId, storageQuotaBytes: wrong }),
      ).rejects.toMatchObject({
        code: 'invalid',
      });
    }
  });
});
