import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../lib/table/table.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { createWorkspace, setStorageQuota } from '../../../lib/workspaces/manage.ts';
import { createKey, revokeKeyById, rotateKey } from '../../../lib/workspaces/manage-keys.ts';
import { findCaller, getWorkspace, listKeys } from '../../../lib/workspaces/store.ts';
import { anOperator } from '../../support/acts.ts';
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
