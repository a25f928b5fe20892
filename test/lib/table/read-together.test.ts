import { BatchGetCommand, type BatchGetCommandInput, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { batchGet } from '../../../lib/table/batch-get.ts';
import { readingTogether } from '../../../lib/table/read-together.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createEngineTable } from '../../support/table.ts';

const keyOf = (name: string) => ({ pk: name, sk: 'x' });

let table: Table;
beforeAll(async () => {
  table = await createEngineTable();
  for (const name of ['one', 'two'])
    await table.client.send(new PutCommand({ TableName: table.name, Item: { ...keyOf(name), is: name } }));
});

/** The table, with the reads that it is sent. */
function watched(): { readonly table: Table; readonly reads: { keys: unknown; isConsistent: unknown }[] } {
  const reads: { keys: unknown; isConsistent: unknown }[] = [];
  const send = (command: { input: BatchGetCommandInput }) => {
    const { Keys, ConsistentRead } = command.input.RequestItems?.[table.name] ?? {};
    reads.push({ keys: Keys, isConsistent: ConsistentRead });
    return table.client.send(new BatchGetCommand(command.input));
  };
  return { table: { ...table, client: { send } as unknown as Table['client'] }, reads };
}

describe('readingTogether', () => {
  it('reads in one request what is asked for at the same time, each item once', async () => {
    const { table: counted, reads } = watched();
    const shared = readingTogether(counted);
    const [first, second] = await Promise.all([
      batchGet(shared, [keyOf('one'), keyOf('missing')]),
      batchGet(shared, [keyOf('two'), keyOf('one')]),
    ]);
    expect(first.get(keyOf('one'))).toMatchObject({ is: 'one' });
    expect(first.get(keyOf('missing'))).toBeUndefined();
    expect(second.get(keyOf('one'))).toMatchObject({ is: 'one' });
    expect(second.get(keyOf('two'))).toMatchObject({ is: 'two' });
    expect(reads).toEqual([{ keys: ['one', 'missing', 'two'].map(keyOf), isConsistent: true }]);
  });

  it('keeps consistent reads apart from those that may be old', async () => {
    const { table: counted, reads } = watched();
    const shared = readingTogether(counted);
    await Promise.all([
      batchGet(shared, [keyOf('one')]),
      batchGet(shared, [keyOf('one')], { isEventual: true }),
    ]);
    expect(reads.map(({ isConsistent }) => isConsistent).sort()).toEqual([false, true]);
  });

  it('never answers a read from a request that was sent before it', async () => {
    const { table: counted, reads } = watched();
    const shared = readingTogether(counted);
    await batchGet(shared, [keyOf('one')]);
    await batchGet(shared, [keyOf('one')]);
    expect(reads).toHaveLength(2);
  });

  it('fails all reads of a request that fails', async () => {
    const send = () => Promise.reject(new Error('no connection'));
    const shared = readingTogether({ ...table, client: { send } as unknown as Table['client'] });
    const outcomes = await Promise.allSettled([
      batchGet(shared, [keyOf('one')]),
      batchGet(shared, [keyOf('two')]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
