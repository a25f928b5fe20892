import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { KeyUses, listKeysWithUse } from '../../../lib/workspaces/key-use.ts';
import { createKey } from '../../../lib/workspaces/manage-keys.ts';
import { anOperator } from '../../support/acts.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { clientOf } from '../../support/database/database.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

async function open() {
  const { context } = await openWorkspace(table);
  const { workspaceId } = context;
  const days = async () =>
    (await listKeysWithUse(table, workspaceId)).map(({ name, lastUsedAt }) => [name, lastUsedAt]);
  return { workspaceId, keyId: context.actor.id, days };
}

/** The table, and how many requests were sent to it. A broken one refuses them all. */
function counted() {
  const state = { requests: 0, isBroken: false };
  const send = async (command: unknown): Promise<unknown> => {
    state.requests += 1;
    if (state.isBroken) throw new Error('the table is not there');
    return table.client.send(command as never);
  };
  return { state, table: { ...table, client: clientOf(send as Parameters<typeof clientOf>[0]) } };
}

describe('the day of a key’s last use', () => {
  it('is in the list of keys, and absent for a key that was never used', async () => {
    const { workspaceId, keyId, days } = await open();
    await createKey(anOperator(table, startMs + 1), { workspaceId, name: 'idle' });
    await new KeyUses(table).record(keyId, startMs);
    expect(await days()).toEqual([
      ['test', '2026-03-01'],
      ['idle', undefined],
    ]);
  });

  it('is written once per instance and day, and again on the next day', async () => {
    const { keyId, days } = await open();
    const { state, table: watched } = counted();
    const uses = new KeyUses(watched);
    for (const laterMs of [0, 1, 3_600_000, dayMs / 2 - 1]) await uses.record(keyId, startMs + laterMs);
    expect(state.requests).toBe(1);
    await uses.record(keyId, startMs + dayMs / 2);
    expect(state.requests).toBe(2);
    expect(await days()).toEqual([['test', '2026-03-02']]);
  });

  it('never goes back, even if an instance’s clock is slow', async () => {
    const { keyId, days } = await open();
    await new KeyUses(table).record(keyId, startMs + dayMs);
    await new KeyUses(table).record(keyId, startMs);
    expect(await days()).toEqual([['test', '2026-03-02']]);
  });

  it('is tried again with the next use after a failure', async () => {
    const { keyId, days } = await open();
    const { state, table: watched } = counted();
    const uses = new KeyUses(watched);
    state.isBroken = true;
    await expect(uses.record(keyId, startMs)).rejects.toThrow('the table is not there');
    state.isBroken = false;
    await uses.record(keyId, startMs + 1);
    expect(await days()).toEqual([['test', '2026-03-01']]);
    expect(uses.record(keyId, startMs + 2)).toBeUndefined();
  });
});
