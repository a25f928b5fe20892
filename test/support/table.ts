import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openTable, type Table } from '../../lib/table/table.ts';
import { accessTo, createTable } from './create-table.ts';
import { clientOf, type Item, tableOf } from './database/database.ts';
import { createMemoryDatabase } from './database/memory.ts';
import { tableDefinition } from './table-definition.ts';

/**
 * Creates an empty table with the service's keys and indexes: in memory, or on the real database engine in the deep run.
 */
export const createTestTable = (): Promise<Table> =>
  inject('tablesInMemory') ? createMemoryTable() : createEngineTable();

/** Creates an empty table with the service's keys and indexes in memory, in every run. */
export async function createMemoryTable(): Promise<Table> {
  const database = createMemoryDatabase();
  const name = `test-${randomUUID()}`;
  await database.request('CreateTable', tableDefinition(name));
  return tableOf(database, name);
}

/** Creates an empty table with the service's keys and indexes on the real database engine, in every run. */
export async function createEngineTable(): Promise<Table> {
  const access = accessTo(inject('databaseEndpoint'));
  const name = `test-${randomUUID()}`;
  await createTable(name, access);
  return openTable(name, access);
}

/**
 * Another connection to a table, which sends every request twice, byte by byte, as the SDK does if the first response is
 * lost. So a transaction keeps its `ClientRequestToken`.
 */
export function sendingTwice(table: Table): Table {
  if (inject('tablesInMemory')) return sendingTwiceInMemory(table);
  const twice = openTable(table.name, accessTo(inject('databaseEndpoint')));
  twice.client.middlewareStack.add(
    (next) => async (args) => {
      await next(args);
      return next(args);
    },
    { step: 'deserialize', priority: 'low' },
  );
  return twice;
}

function sendingTwiceInMemory(table: Table): Table {
  const client = clientOf(async (command) => {
    const { input } = command as { input: { TransactItems?: unknown; ClientRequestToken?: string } };
    // The SDK sets the token before it sends a request, so both attempts have the same.
    if (input.TransactItems !== undefined) input.ClientRequestToken ??= randomUUID();
    await table.client.send(command as never);
    return (await table.client.send(command as never)) as Item;
  });
  return { ...table, client };
}
