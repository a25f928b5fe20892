import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { recordTogether } from '../../../../lib/webhooks/deliveries/batch.ts';
import {
  type AttemptRecord,
  findDelivery,
  recordAttempt,
} from '../../../../lib/webhooks/deliveries/store.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { storeDelivery } from '../../../support/webhooks.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** The same table, and the names of the requests that were sent to it. */
function watched(): { readonly table: Table; readonly requests: string[] } {
  const requests: string[] = [];
  const client = new Proxy(table.client, {
    get: (target, name) =>
      name === 'send'
        ? (command: never) => {
            requests.push((command as object).constructor.name.replace('Command', ''));
            return target.send(command);
          }
        : Reflect.get(target, name),
  });
  return { table: { ...table, client }, requests };
}

/** Records of a delivered attempt each, of different deliveries. */
async function someRecords(count: number): Promise<AttemptRecord[]> {
  const endpoint = { workspaceId: newId(startMs), id: newId(startMs) };
  const deliveries = await Promise.all(
    Array.from({ length: count }, () => storeDelivery(table, endpoint, { atMs: startMs })),
  );
  return deliveries.map((delivery) => ({
    delivery,
    attempt: undefined,
    after: { status: 'delivered' },
  }));
}

const statusOf = async ({ delivery }: AttemptRecord) =>
  (await findDelivery(table, delivery, startMs))?.status;

describe('attempts of a batch', () => {
  it('that end at the same time are recorded in one request', async () => {
    const records = await someRecords(10);
    const { table: counted, requests } = watched();
    const record = recordTogether(counted);
    const recorded = await Promise.all(records.map(record));
    expect(requests).toEqual(['TransactWrite']);
    expect(recorded.map((delivery) => delivery?.status)).toEqual(Array(10).fill('delivered'));
    expect(await Promise.all(records.map(statusOf))).toEqual(Array(10).fill('delivered'));
  });

  it('that are few are recorded by themselves, for half the write units', async () => {
    const { table: counted, requests } = watched();
    const recorded = await Promise.all((await someRecords(3)).map(recordTogether(counted)));
    expect(requests).toEqual(['Update', 'Update', 'Update']);
    expect(recorded.map((delivery) => delivery?.status)).toEqual(Array(3).fill('delivered'));
  });

  it('that end within a moment wait for its end, and later ones for theirs', async () => {
    const records = await someRecords(9);
    const { table: counted, requests } = watched();
    const moments: (() => void)[] = [];
    const record = recordTogether(counted, (end) => moments.push(end));
    const first = records.slice(0, 4).map(record);
    expect(requests).toEqual([]);
    moments.shift()?.();
    const later = records.slice(4).map(record);
    await Promise.all(first);
    expect(requests).toEqual(['TransactWrite']);
    moments.shift()?.();
    await Promise.all(later);
    expect(requests).toEqual(['TransactWrite', 'TransactWrite']);
    expect(moments).toEqual([]);
  });

  it('that end one after the other do not wait for each other', async () => {
    const { table: counted, requests } = watched();
    const record = recordTogether(counted);
    for (const each of await someRecords(2)) await record(each);
    expect(requests).toEqual(['Update', 'Update']);
  });

  it('are recorded except those whose delivery has changed in the meantime', async () => {
    const records = await someRecords(4);
    const changed = records[2] as AttemptRecord;
    await recordAttempt(table, changed.delivery, undefined, { status: 'failed' });
    const { table: counted, requests } = watched();
    const recorded = await Promise.all(records.map(recordTogether(counted)));
    expect(requests).toEqual(['TransactWrite', ...Array(4).fill('Update')]);
    expect(recorded.map((delivery) => delivery?.status)).toEqual([
      'delivered',
      'delivered',
      undefined,
      'delivered',
    ]);
    expect(await statusOf(changed)).toBe('failed');
  });

  it('are recorded although the response was lost and the SDK has repeated the write', async () => {
    const [record] = (await someRecords(1)) as [AttemptRecord];
    const entry = {
      at: new Date(startMs).toISOString(),
      statusCode: 500,
      latencyMs: 7,
      responseStart: 'no',
      error: 'x',
    };
    const after = { status: 'pending', nextAttemptMs: startMs + 5_000 } as const;
    const client = new Proxy(table.client, {
      get: (target, name) =>
        name === 'send'
          ? async (command: never) => {
              await target.send(command);
              return target.send(command);
            }
          : Reflect.get(target, name),
    });
    const recorded = await recordAttempt({ ...table, client }, record.delivery, entry, after);
    expect(recorded).toMatchObject({ status: 'pending', attemptNumber: 2, attempts: [entry] });
    expect(await recordAttempt(table, record.delivery, { ...entry, latencyMs: 8 }, after)).toBeUndefined();
  });

  it('that cannot be recorded fail, and later ones are recorded', async () => {
    const records = await someRecords(3);
    const { table: counted, requests } = watched();
    let isDown = true;
    const client = new Proxy(counted.client, {
      get: (target, name) => {
        if (name === 'send' && isDown) return async () => Promise.reject(new Error('the table is down'));
        return Reflect.get(target, name);
      },
    });
    const record = recordTogether({ ...counted, client });
    const [first, second, last] = records as [AttemptRecord, AttemptRecord, AttemptRecord];
    const outcomes = await Promise.allSettled([record(first), record(second)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    expect(await record(last)).toMatchObject({ status: 'delivered' });
    expect(requests).toEqual(['Update']);
  });
});
