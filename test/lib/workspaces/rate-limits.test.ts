import { DeleteCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { auditPartition, keyDigestKey } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { createWorkspace } from '../../../lib/workspaces/manage.ts';
import { createKey, revokeKeyById, rotateKey } from '../../../lib/workspaces/manage-keys.ts';
import { setKeyRateLimit, setWorkspaceRateLimit } from '../../../lib/workspaces/rate-limits.ts';
import type { Caller } from '../../../lib/workspaces/schemas.ts';
import { findCaller, getWorkspace, listKeys } from '../../../lib/workspaces/store.ts';
import { deleteWorkspace, resumeWorkspace, suspendWorkspace } from '../../../lib/workspaces/suspension.ts';
import { anOperator } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const operator = () => anOperator(table, startMs, 'workspace.set-rate-limit');
const callerOf = (apiKey: string) => findCaller(table, apiKeyDigest(apiKey));

async function open() {
  const { id: workspaceId } = await createWorkspace(operator(), { name: 'Harbour Coffee' });
  const issue = () => createKey(operator(), { workspaceId, name: 'backend' });
  const { key, apiKey } = await issue();
  return { workspaceId, issue, keyId: key.id, apiKey };
}

/** This test's table, for which something else is done just before its n-th transaction. */
function interrupted(nth: number, meanwhile: () => Promise<unknown>): Table {
  let transactions = 0;
  const send = async (command: Parameters<Table['client']['send']>[0]) => {
    if (command instanceof TransactWriteCommand && ++transactions === nth) await meanwhile();
    return table.client.send(command);
  };
  return { ...table, client: Object.assign(Object.create(table.client), { send }) };
}

describe('the limit of a key', () => {
  it('is in its look-up and in the list of keys, until it is removed', async () => {
    const { workspaceId, keyId, apiKey } = await open();
    await setKeyRateLimit(operator(), { workspaceId, keyId, ratePerMinute: 120 });
    expect(await callerOf(apiKey)).toMatchObject({ keyId, ratePerMinute: 120 });
    expect(await listKeys(table, workspaceId)).toMatchObject([{ ratePerMinute: 120 }]);
    await setKeyRateLimit(operator(), { workspaceId, keyId, ratePerMinute: undefined });
    expect(await callerOf(apiKey)).not.toHaveProperty('ratePerMinute');
    expect((await listKeys(table, workspaceId))[0]).not.toHaveProperty('ratePerMinute');
  });

  it('may be given when the key is created', async () => {
    const { workspaceId } = await open();
    const limited = { workspaceId, name: 'limited', ratePerMinute: 30 };
    const { key, apiKey } = await createKey(operator(), limited);
    expect(key.ratePerMinute).toBe(30);
    expect(await callerOf(apiKey)).toMatchObject({ ratePerMinute: 30 });
    await expect(createKey(operator(), { ...limited, ratePerMinute: 0 })).rejects.toThrow('rate limit: must');
  });

  it('stays if the key is rotated', async () => {
    const { workspaceId, keyId } = await open();
    await setKeyRateLimit(operator(), { workspaceId, keyId, ratePerMinute: 7 });
    const { apiKey } = await rotateKey(operator(), { workspaceId, keyId });
    expect(await callerOf(apiKey)).toMatchObject({ ratePerMinute: 7 });
  });

  it('is not lost to a rotation at the same time: the rotation gets a conflict', async () => {
    const { workspaceId, keyId, apiKey } = await open();
    const meanwhile = interrupted(1, () =>
      setKeyRateLimit(operator(), { workspaceId, keyId, ratePerMinute: 7 }),
    );
    const rotation = rotateKey({ ...operator(), table: meanwhile }, { workspaceId, keyId });
    await expect(rotation).rejects.toMatchObject({ code: 'conflict' });
    expect(await callerOf(apiKey)).toMatchObject({ ratePerMinute: 7 });
  });

  it('gets a conflict if the key is rotated at the same time', async () => {
    const { workspaceId, keyId } = await open();
    const meanwhile = interrupted(1, () => rotateKey(operator(), { workspaceId, keyId }));
    const change = { workspaceId, keyId, ratePerMinute: 7 };
    const set = setKeyRateLimit({ ...operator(), table: meanwhile }, change);
    await expect(set).rejects.toMatchObject({ code: 'conflict' });
    expect((await listKeys(table, workspaceId))[0]).not.toHaveProperty('ratePerMinute');
  });

  it('can be set only for a key of the workspace that is not revoked', async () => {
    const { workspaceId, keyId } = await open();
    const stranger = await open();
    const set = (key: string) => setKeyRateLimit(operator(), { workspaceId, keyId: key, ratePerMinute: 7 });
    await expect(set(stranger.keyId)).rejects.toMatchObject({ code: 'not_found' });
    await revokeKeyById(operator(), { workspaceId, keyId });
    await expect(set(keyId)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the limits of a key that has two values during the overlap of a rotation', () => {
  const overlapMs = 60_000;
  async function openRotated() {
    const opened = await open();
    const { workspaceId, keyId, apiKey: old } = opened;
    const { apiKey } = await rotateKey(operator(), { workspaceId, keyId, overlapMs });
    return { ...opened, old, apiKey };
  }

  it('hold for both', async () => {
    const { workspaceId, keyId, old, apiKey } = await openRotated();
    await setKeyRateLimit(operator(), { workspaceId, keyId, ratePerMinute: 7 });
    await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 9 });
    for (const value of [old, apiKey])
      expect(await callerOf(value)).toMatchObject({ ratePerMinute: 7, workspaceRatePerMinute: 9 });
  });

  it('can be set after the old value has ended and its item has expired', async () => {
    const { workspaceId, keyId, old, apiKey } = await openRotated();
    const Key = keyDigestKey(apiKeyDigest(old));
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
    const later = { ...operator(), now: startMs + overlapMs };
    await setKeyRateLimit(later, { workspaceId, keyId, ratePerMinute: 7 });
    await setWorkspaceRateLimit(later, { workspaceId, ratePerMinute: 9 });
    expect(await callerOf(apiKey)).toMatchObject({ ratePerMinute: 7, workspaceRatePerMinute: 9 });
    expect(await callerOf(old)).toBeUndefined();
  });
});

describe('the limit of a workspace', () => {
  it('is in the look-up of each of its keys, until it is removed', async () => {
    const { workspaceId, issue, apiKey } = await open();
    const { apiKey: second } = await issue();
    await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 1_000 });
    expect(await getWorkspace(table, workspaceId)).toMatchObject({ ratePerMinute: 1_000 });
    for (const key of [apiKey, second])
      expect(await callerOf(key)).toMatchObject({ workspaceRatePerMinute: 1_000 });
    await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: undefined });
    expect(await getWorkspace(table, workspaceId)).not.toHaveProperty('ratePerMinute');
    for (const key of [apiKey, second])
      expect(await callerOf(key)).not.toHaveProperty('workspaceRatePerMinute');
  });

  it('holds for keys that are created or rotated later', async () => {
    const { workspaceId, issue, keyId } = await open();
    await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 1_000 });
    const created = await issue();
    const rotated = await rotateKey(operator(), { workspaceId, keyId });
    for (const { apiKey } of [created, rotated])
      expect(await callerOf(apiKey)).toMatchObject({ workspaceRatePerMinute: 1_000 });
  });

  it('leaves out revoked keys, and does not bring them back', async () => {
    const { workspaceId, issue, apiKey } = await open();
    const { key, apiKey: revoked } = await issue();
    await revokeKeyById(operator(), { workspaceId, keyId: key.id });
    await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 9 });
    expect(await callerOf(apiKey)).toMatchObject({ workspaceRatePerMinute: 9 });
    expect(await callerOf(revoked)).toBeUndefined();
  });

  it.each([
    ['created', createKey],
    ['rotated', rotateKey],
  ] as const)(
    'gets a conflict if a key is %s at the same time, so that it misses no key',
    async (_, issue) => {
      const { workspaceId, keyId } = await open();
      const meanwhile = interrupted(1, () => issue(operator(), { workspaceId, keyId, name: 'new' }));
      const set = setWorkspaceRateLimit(
        { ...operator(), table: meanwhile },
        { workspaceId, ratePerMinute: 9 },
      );
      await expect(set).rejects.toMatchObject({ code: 'conflict' });
      expect(await getWorkspace(table, workspaceId)).not.toHaveProperty('ratePerMinute');
    },
  );

  it.each([
    ['created', createKey],
    ['rotated', rotateKey],
  ] as const)(
    'makes a key that is %s at the same time a conflict, so that none keeps the limit before',
    async (_, issue) => {
      const { workspaceId, keyId } = await open();
      const meanwhile = interrupted(1, () =>
        setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 9 }),
      );
      const issued = issue({ ...operator(), table: meanwhile }, { workspaceId, keyId, name: 'new' });
      await expect(issued).rejects.toMatchObject({ code: 'conflict' });
      expect(await listKeys(table, workspaceId)).toHaveLength(1);
    },
  );

  it('is the same for every key, however many are created, rotated and revoked meanwhile', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { workspaceId, issue, keyId, apiKey } = await open();
      const { key: doomed } = await issue();
      const work = await Promise.allSettled([
        issue(),
        setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 9 }),
        issue(),
        rotateKey(operator(), { workspaceId, keyId }),
        revokeKeyById(operator(), { workspaceId, keyId: doomed.id }),
      ]);
      for (const each of work)
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
      const issued = work.flatMap((each) =>
        each.status === 'fulfilled' && each.value && 'apiKey' in each.value ? [each.value.apiKey] : [],
      );
      const callers = (await Promise.all([apiKey, ...issued].map(callerOf))).filter(
        (caller): caller is Caller => caller !== undefined,
      );
      const { ratePerMinute } = await getWorkspace(table, workspaceId);
      expect(callers.map((caller) => caller.workspaceRatePerMinute)).toEqual(
        callers.map(() => ratePerMinute),
      );
    }
  });

  describe('with more keys than one transaction can change', () => {
    async function openLarge() {
      const { workspaceId, issue, apiKey } = await open();
      const keys = [apiKey];
      for (let made = 0; made < 13; made += 1) {
        const issued = await Promise.all(Array.from({ length: 10 }, issue));
        keys.push(...issued.map((each) => each.apiKey));
      }
      const limits = async () => {
        const callers = await Promise.all(keys.map(callerOf));
        return new Set(callers.map((caller) => caller?.workspaceRatePerMinute));
      };
      return { workspaceId, issue, keys, limits };
    }

    it('is set for all of them', async () => {
      const { workspaceId, limits } = await openLarge();
      await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 50 });
      expect(await limits()).toEqual(new Set([50]));
    });

    it('is completed by a repetition after it was interrupted', async () => {
      const { workspaceId, issue, keys, limits } = await openLarge();
      const meanwhile = interrupted(2, async () => {
        keys.push((await issue()).apiKey);
      });
      const set = setWorkspaceRateLimit(
        { ...operator(), table: meanwhile },
        { workspaceId, ratePerMinute: 50 },
      );
      await expect(set).rejects.toMatchObject({ code: 'conflict' });
      expect(await limits()).toEqual(new Set([50, undefined]));
      await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 50 });
      expect(await limits()).toEqual(new Set([50]));
    });
  });

  it('and its suspension are both in the look-ups of its keys, whichever came first', async () => {
    const { workspaceId, keyId, apiKey } = await open();
    const both = { workspaceRatePerMinute: 50, suspendedAt: toTimestamp(startMs) };
    await suspendWorkspace(operator(), workspaceId);
    await setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 50 });
    expect(await callerOf(apiKey)).toMatchObject(both);
    const { apiKey: rotated } = await rotateKey(operator(), { workspaceId, keyId });
    expect(await callerOf(rotated)).toMatchObject(both);
    await resumeWorkspace(operator(), workspaceId);
    expect(await callerOf(rotated)).toMatchObject({ workspaceRatePerMinute: 50 });
    expect(await callerOf(rotated)).not.toHaveProperty('suspendedAt');
  });

  it('cannot be set for a workspace that is to be deleted', async () => {
    const { workspaceId } = await open();
    await deleteWorkspace(operator(), workspaceId);
    const set = setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute: 50 });
    await expect(set).rejects.toThrow('workspace: it is to be deleted (resume it first)');
  });

  it('cannot be set for an unknown workspace', async () => {
    const set = setWorkspaceRateLimit(operator(), { workspaceId: 'nobody', ratePerMinute: 50 });
    await expect(set).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a change of a limit', () => {
  it('is in the audit log, with the new number', async () => {
    const { workspaceId, keyId } = await open();
    await setKeyRateLimit(operator(), { workspaceId, keyId, ratePerMinute: 7 });
    const later = { ...operator(), now: startMs + 1 };
    await setWorkspaceRateLimit(later, { workspaceId, ratePerMinute: undefined });
    const entries = await queryAll(table, { partition: auditPartition(workspaceId) });
    const changes = entries.map(({ subjectId, note }) => ({ subjectId, note }));
    expect(changes.filter(({ note }) => note !== undefined)).toEqual([
      { subjectId: keyId, note: '7 per minute' },
      { subjectId: workspaceId, note: 'the limit of the stage' },
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN, 60_001])('refuses %d', async (ratePerMinute) => {
    const { workspaceId, keyId } = await open();
    const message = 'rate limit: must be a whole number of requests per minute, from 1 to 60,000';
    await expect(setKeyRateLimit(operator(), { workspaceId, keyId, ratePerMinute })).rejects.toThrow(message);
    await expect(setWorkspaceRateLimit(operator(), { workspaceId, ratePerMinute })).rejects.toThrow(message);
  });
});
