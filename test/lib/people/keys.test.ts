import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { createPanelKey, listPanelKeys, revokePanelKey, rotatePanelKey } from '../../../lib/people/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { KeyUses } from '../../../lib/workspaces/key-use.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { findCaller } from '../../../lib/workspaces/store.ts';
import { anOperator } from '../../support/acts.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { aPerson } from '../../support/members.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let workspaceId: string;
beforeEach(async () => {
  workspaceId = (await openWorkspace(table)).context.workspaceId;
});

const actor = aPerson();
const context = (now = startMs) => ({ ...anOperator(table, now, 'key.create'), actor, workspaceId });
const found = (apiKey: string) => findCaller(table, apiKeyDigest(apiKey));

describe('a key that a person issues', () => {
  it('is in the answer once, names the person, and is listed without its value, newest first', async () => {
    const { key, apiKey } = await createPanelKey(context(startMs + 1), { name: 'till' });
    expect(key).toEqual({
      id: expect.any(String),
      name: 'till',
      lastFour: apiKey.slice(-4),
      permissions: null,
      accountIds: null,
      status: 'active',
      expiresAt: null,
      revokedAt: null,
      previousUntil: null,
      createdAt: toTimestamp(startMs + 1),
      createdBy: { kind: 'person', id: actor.id },
      lastUsedOn: null,
      grant: null,
    });
    expect(await found(apiKey)).toMatchObject({ workspaceId, keyId: key.id });
    const listed = await listPanelKeys(context());
    expect(listed).toMatchObject([key, { name: 'test' }]);
    expect(JSON.stringify(listed)).not.toContain(apiKey.slice(0, 12));
    expect(JSON.stringify(listed)).not.toContain(apiKeyDigest(apiKey));
  });

  it('has the limits that it was given, and shows the day of its last use', async () => {
    const { id: accountId } = await storeAccount(table, workspaceId);
    const limits = {
      permissions: ['read' as const],
      accountIds: [accountId],
      expiresAt: toTimestamp(startMs + dayMs),
    };
    const { key } = await createPanelKey(context(), { name: 'till', ...limits });
    await new KeyUses(table).record(key.id, startMs);
    const listed = await listPanelKeys(context());
    expect(listed.find(({ id }) => id === key.id)).toMatchObject({ ...limits, lastUsedOn: '2026-03-01' });
    const later = await listPanelKeys(context(startMs + dayMs));
    expect(later.find(({ id }) => id === key.id)).toMatchObject({ status: 'expired' });
  });

  it.each([
    ['name', { name: '   ' }],
    ['accountIds', { name: 'till', accountIds: [newId(startMs)] }],
    ['expiresAt', { name: 'till', expiresAt: toTimestamp(startMs - 1) }],
  ])('is refused for a wrong %s, by the name of the request’s field', async (param, input) => {
    await expect(createPanelKey(context(), input)).rejects.toMatchObject({
      param,
      fields: { [param]: [expect.any(String)] },
      message: expect.stringContaining(`${param}: `),
    });
  });
});

describe('a rotated key', () => {
  it('keeps its id, and its old value works until the end of the overlap', async () => {
    const issued = await createPanelKey(context(), { name: 'till' });
    await new KeyUses(table).record(issued.key.id, startMs);
    const { key, apiKey } = await rotatePanelKey(context(), { keyId: issued.key.id, overlapMinutes: 60 });
    expect(key).toMatchObject({
      id: issued.key.id,
      lastFour: apiKey.slice(-4),
      previousUntil: toTimestamp(startMs + hourMs),
      lastUsedOn: '2026-03-01',
    });
    expect(await found(issued.apiKey)).toMatchObject({ expiresAt: toTimestamp(startMs + hourMs) });
    const later = await listPanelKeys(context(startMs + hourMs));
    expect(later.find(({ id }) => id === key.id)).toMatchObject({ previousUntil: null, status: 'active' });
  });

  it('that has expired needs a new expiry', async () => {
    const { key } = await createPanelKey(context(), { name: 'till', expiresAt: toTimestamp(startMs + 1) });
    const rotate = (expiresAt?: string) =>
      rotatePanelKey(context(startMs + hourMs), { keyId: key.id, overlapMinutes: 0, expiresAt });
    await expect(rotate()).rejects.toMatchObject({ code: 'conflict' });
    expect(await rotate(toTimestamp(startMs + dayMs))).toMatchObject({ key: { status: 'active' } });
  });
});

describe('a revoked key', () => {
  it('is refused and stays in the list; revoking it again changes nothing', async () => {
    const { key, apiKey } = await createPanelKey(context(), { name: 'till' });
    await revokePanelKey(context(), key.id);
    await revokePanelKey(context(startMs + 1), key.id);
    expect(await found(apiKey)).toBeUndefined();
    const listed = await listPanelKeys(context());
    expect(listed.find(({ id }) => id === key.id)).toMatchObject({
      status: 'revoked',
      revokedAt: toTimestamp(startMs),
    });
  });
});

it('a key of another workspace is not found', async () => {
  const other = (await openWorkspace(table)).context.workspaceId;
  const { key } = await createKey(anOperator(table, startMs), { workspaceId: other, name: 'theirs' });
  await expect(revokePanelKey(context(), key.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(rotatePanelKey(context(), { keyId: key.id, overlapMinutes: 0 })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('the audit log names the person', async () => {
  const { key } = await createPanelKey(context(), { name: 'till' });
  await revokePanelKey({ ...context(), verb: 'key.revoke' }, key.id);
  expect(await auditLogOf(table, workspaceId)).toMatchObject([
    { verb: 'key.revoke', actor: { kind: 'person', id: actor.id }, subjectId: key.id, outcome: 'done' },
  ]);
});
