import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { absent, unconditionally } from '../../../lib/table/condition.ts';
import { getItem, isTransactionConflict, updateItem } from '../../../lib/table/items.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact, updatePart } from '../../../lib/table/transaction.ts';
import { createEngineTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createEngineTable();
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

describe('a write that was throttled after the attempts of the SDK', () => {
  const key = { pk: 'item', sk: 'throttled' };
  const update = { set: { value: 1 }, if: unconditionally };
  const throttled = new ProvisionedThroughputExceededException({ message: 'too much', $metadata: {} });

  it('is repeated, because it had no effect', async () => {
    const outcome = await updateItem(refusing(2, UpdateCommand, throttled), key, update);
    expect(outcome).toMatchObject({ written: true });
  });

  it('fails after few attempts, each of which is several of the SDK', async () => {
    await expect(updateItem(refusing(3, UpdateCommand, throttled), key, update)).rejects.toBe(throttled);
  });
});

it.each(['TimeoutError', 'InternalServerError'])(
  'a write is not repeated after %s, because its outcome is unknown',
  async (name) => {
    const key = { pk: 'item', sk: 'unknown' };
    const error = Object.assign(new Error('unknown'), { name });
    const failing = refusing(1, UpdateCommand, error);
    await expect(updateItem(failing, key, { set: { value: 1 }, if: unconditionally })).rejects.toBe(error);
  },
);

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

  it('keeps its token, so that it is committed once even if an attempt was committed without a response', async () => {
    const tokens: unknown[] = [];
    const { client } = table;
    const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
    const lossy = async (command: TransactWriteCommand) => {
      tokens.push(command.input.ClientRequestToken);
      await send(command);
      if (tokens.length === 1) throw canceled('TransactionConflict');
    };
    const losing = {
      ...table,
      client: { send: lossy } as unknown as Table['client'],
      backOff: async () => {},
    };
    const once = { pk: 'item', sk: 'once' };
    const part = updatePart(table, once, { add: { count: 1 }, if: { count: absent } });
    expect(await transact(losing, [part])).toEqual({ committed: true });
    expect(new Set(tokens).size).toBe(1);
    expect(await getItem(table, once)).toMatchObject({ count: 1 });
  });

  it('for a reason that repeating cannot remove is not repeated', async () => {
    const refused = refusing(1, TransactWriteCommand, canceled('ValidationError'));
    await expect(transact(refused, parts())).rejects.toThrow(TransactionCanceledException);
  });
});
