import { expect, it } from 'vitest';
import type { Key } from '../../../lib/table/keys.ts';
import { whileHeld } from '../../../lib/table/lease.ts';
import type { Table } from '../../../lib/table/table.ts';

const key: Key = { pk: 'pk', sk: 'sk' };

it('renews no lease once the work is done, although a heartbeat has begun', async () => {
  const renewals: unknown[] = [];
  // The double is enough: the renewal makes one request.
  const table = {
    name: 'table',
    client: { send: async (command: unknown) => void renewals.push(command) },
  } as unknown as Table;
  let beat: () => Promise<void> = async () => undefined;
  const every = (_milliseconds: number, task: () => Promise<void>) => {
    beat = task;
    return () => undefined;
  };
  let arm: () => void = () => undefined;
  const armed = new Promise<void>((resolve) => {
    arm = resolve;
  });

  let beating: Promise<void> | undefined;
  await whileHeld(
    { table, now: () => 0, every },
    key,
    1,
    () => armed,
    async () => {
      beating = beat();
    },
  );
  arm();
  await beating;
  expect(renewals).toEqual([]);
});
