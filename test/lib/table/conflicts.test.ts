import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { unconditionally } from '../../../lib/table/condition.ts';
import { getItem, isTransactionConflict, updateItem } from '../../../lib/table/items.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact, updatePart } from '../../../lib/table/transaction.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** A table that refuses the first writes of this kind. */
function refusing(times: number, kind: new (...input: never[]) => unknown, error: Error): Table {
  let left = times;
  const { client } = table;
  const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
  const refusingClient = new Proxy(client, {
    get: (real, name) =>
      name === 'send'
        ? async (command: unknown) => {
            if (!(command instanceof kind) || left === 0) return send(command);
            left -= 1;
            throw error;
          }
        : Reflect.get(real, name, real),
  });
  return { ...table, client: refusingClient, backOff: async () => {} };
}

const conflict = new TransactionConflictException({ message: 'a transaction is ongoing', $metadata: {} });
const canceled = (Code: string) =>
  new TransactionCanceledException({
    message: 'canceled',
    $metadata: {},
    CancellationReasons: [{ Code: 'None' }, { Code }],
  });

describe('a single write of an item that a transaction is writing', () => {
  const key = { pk: 'item', sk: 'single' };
  const update = { set: { value: 1 }, if: unconditionally };

  it('is repeated, because DynamoDB rejected it without effect and the SDK does not repeat it', async () => {
    const outcome = await updateItem(refusing(3, UpdateCommand, conflict), key, update);
    expect(outcome).toMatchObject({ written: true, item: { value: 1 } });
  });

  it('fails after some attempts', async () => {
    const failure = updateItem(refusing(1_000, UpdateCommand, conflict), key, update);
    await expect(failure).rejects.toSatisfy(isTransactionConflict);
  });
});

describe('a transaction that was canceled', () => {
  const key = { pk: 'item', sk: 'transaction' };
  const parts = () => [updatePart(table, key, { set: { value: 2 }, if: unconditionally })];

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'for the reason %s is repeated, because the SDK does not repeat it',
    async (code) => {
      const refused = refusing(3, TransactWriteCommand, canceled(code));
      expect(await transact(refused, parts())).toEqual({ committed: true });
      expect(await getItem(table, key)).toMatchObject({ value: 2 });
    },
  );

  it('for a reason that repeating cannot remove is not repeated', async () => {
    const refused = refusing(1, TransactWriteCommand, canceled('ValidationError'));
    await expect(transact(refused, parts())).rejects.toThrow(TransactionCanceledException);
  });
});
