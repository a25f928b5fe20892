import { randomUUID } from 'node:crypto';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import { inject } from 'vitest';
import { openTable, type Table } from '../../lib/table/table.ts';
import { accessTo, createTable } from './create-table.ts';

/** Creates an empty table with the service's keys and indexes on the real database engine. */
export async function createTestTable(): Promise<Table> {
  const access = accessTo(inject('databaseEndpoint'));
  const name = `test-${randomUUID()}`;
  await createTable(name, access);
  return patient(openTable(name, access));
}

/** Lets a request take as long as a slow machine needs: if it was sent again, a test would see two. */
function patient(table: Table): Table {
  const handler = table.client.config.requestHandler as NodeHttpHandler;
  handler.updateHttpClientConfig('connectionTimeout', patienceMs);
  handler.updateHttpClientConfig('requestTimeout', patienceMs);
  return table;
}

const patienceMs = 60_000;

/**
 * Another connection to a table, which sends every request twice, byte by byte, as the SDK does if the first response is
 * lost. So a transaction keeps its `ClientRequestToken`.
 */
export function sendingTwice({ name }: Table): Table {
  const twice = patient(openTable(name, accessTo(inject('databaseEndpoint'))));
  twice.client.middlewareStack.add(
    (next) => async (args) => {
      await next(args);
      return next(args);
    },
    { step: 'deserialize', priority: 'low' },
  );
  return twice;
}
