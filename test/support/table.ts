import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openTable, type Table } from '../../lib/table/table.ts';
import { createTable } from './create-table.ts';

/**
 * A new, empty table of the service's shape on the real engine. Sets the variables by which every AWS client of this
 * test file finds the engine, so that code which opens its own client works on the same table.
 */
export async function createTestTable(): Promise<Table> {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: inject('databaseEndpoint'),
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  const name = `test-${randomUUID()}`;
  await createTable(name);
  return openTable(name);
}
