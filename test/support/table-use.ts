import type { DataRights } from '../../lib/api-contract/rights.ts';
import type { Table } from '../../lib/table/table.ts';
import { clientOf, operationOf } from './database/database.ts';

/** One right that a request to the table needs. */
export interface TableUse {
  /** Such as `PutItem`. */
  readonly action: string;
  /** A partition key; with an index, that of the index. */
  readonly partitionKey: string;
  readonly index?: string;
}

type Input = Readonly<Record<string, unknown>>;
interface Part {
  readonly Key?: { readonly pk: string };
  readonly Item?: { readonly pk: string };
}

const transactionActions: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/**
 * The rights that a request needs. `infra/local/cloud/engines/dynamodb/access.ts` finds the same in requests as sent.
 *
 * @param operation such as `TransactWriteItems`
 * @param input of the document client's command
 * @throws Error for an operation that the service does not use
 */
export function tableUses(operation: string, input: Input): readonly TableUse[] {
  const ofPart = (action: string, { Key, Item }: Part): TableUse => ({
    action,
    partitionKey: (Key ?? Item)?.pk ?? '',
  });
  switch (operation) {
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [ofPart(operation, input)];
    case 'Query': {
      const { ':partition': partitionKey = '' } = input['ExpressionAttributeValues'] as Record<
        string,
        string
      >;
      const index = input['IndexName'] as string | undefined;
      return [{ action: operation, partitionKey, ...(index !== undefined && { index }) }];
    }
    case 'BatchGetItem': {
      const asked = Object.values(
        input['RequestItems'] as Record<string, { Keys: NonNullable<Part['Key']>[] }>,
      );
      return asked.flatMap(({ Keys }) => Keys.map((Key) => ofPart(operation, { Key })));
    }
    case 'BatchWriteItem': {
      const asked = Object.values(input['RequestItems'] as Record<string, Record<string, Part>[]>).flat();
      return asked.flatMap((request) => Object.values(request).map((part) => ofPart(operation, part)));
    }
    case 'TransactGetItems':
    case 'TransactWriteItems': {
      const parts = (input['TransactItems'] as Record<string, Part>[]).flatMap((part) =>
        Object.entries(part),
      );
      return parts.map(([kind, part]) => ofPart(transactionActions[kind] ?? kind, part));
    }
    default:
      throw new Error(`no right is known for ${operation}`);
  }
}

/** Sees a request to the table before it is sent: its operation, such as `TransactWriteItems`, and the rights it needs. */
export type OnUse = (operation: string, uses: readonly TableUse[]) => void;

/** Returns true if a function with these rights may do this. The stacks derive its policy from the same rights. */
export function isGranted({ reads, writes, indexes = [] }: DataRights, use: TableUse): boolean {
  if (use.index !== undefined) return indexes.some((name) => name === use.index);
  const granted: Readonly<Record<string, readonly string[]>> = { ...reads, ...writes };
  return granted[use.action]?.some((prefix) => use.partitionKey.startsWith(prefix)) ?? false;
}

/**
 * The table as a function with these rights may use it. A refused request throws, as with the policy of its role, so that
 * tests of a function find missing rights without a local cloud.
 */
export function limitTable(
  table: Table,
  functionName: string,
  rights: DataRights,
  onUse: OnUse = () => undefined,
): Table {
  const send = async (command: { readonly input: object }): Promise<unknown> => {
    const uses = tableUses(operationOf(command), { ...command.input });
    onUse(operationOf(command), uses);
    for (const use of uses) {
      if (isGranted(rights, use)) continue;
      throw new Error(`${functionName} has no right to ${use.action} on ${use.index ?? use.partitionKey}`);
    }
    return table.client.send(command as never);
  };
  return { ...table, client: clientOf(send as Parameters<typeof clientOf>[0]) };
}
