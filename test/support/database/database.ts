import type { Table } from '../../../lib/table/table.ts';

export type Item = Record<string, unknown>;

/** DynamoDB as the commands of the document client see it: in memory, or the real engine. */
export interface Database {
  /** @param operation such as `UpdateItem`; the input is that of the document client's command */
  request(operation: string, input: Item): Promise<Item>;
}

/** A table of a database, for the stores. */
export function tableOf(database: Database, name: string): Table {
  const send = (command: { readonly input: object }) =>
    database.request(operationOf(command), { ...command.input });
  return { name, client: clientOf(send) };
}

/** The one method of the document client that the stores use. */
export function clientOf(send: (command: { readonly input: object }) => Promise<Item>): Table['client'] {
  return { send } as unknown as Table['client'];
}

/** The operation of an SDK command: `UpdateItem` for `UpdateCommand`. */
export function operationOf(command: object): string {
  const name = command.constructor.name.replace(/Command$/, '');
  const operations: Record<string, string> = {
    TransactGet: 'TransactGetItems',
    TransactWrite: 'TransactWriteItems',
    Query: 'Query',
    Scan: 'Scan',
    CreateTable: 'CreateTable',
    DeleteTable: 'DeleteTable',
  };
  return operations[name] ?? `${name}Item`;
}
