import type { Table } from '../../../lib/table/table.ts';

export type Item = Record<string, unknown>;

/** The database as the document client's commands see it, without the SDK. */
export interface EngineTable {
  /** @param operation such as `UpdateItem`; the input is that of the document client's command */
  request(operation: string, input: Item): Promise<Item>;
}

/** The table without faults, for what the simulation itself needs. */
export function plainTable(engine: EngineTable, name: string): Table {
  const send = (command: { readonly input: object }) =>
    engine.request(operationOf(command), { ...command.input });
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
  };
  return operations[name] ?? `${name}Item`;
}
