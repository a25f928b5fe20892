import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openTable, type Table } from '../../lib/table/table.ts';
import { accessTo, createTable } from './create-table.ts';

/** Creates an empty table with the service's keys and indexes on the real database engine. */
export async function createTestTable(): Promise<Table> {
  const access = accessTo(inject('databaseEndpoint'));
  const name = `test-${randomUUID()}`;
  await createTable(name, access);
  return openTable(name, access);
}
