import type { DataRights } from '../../lib/api-contract/rights.ts';
import type { Table } from '../../lib/table/table.ts';

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

import { appendFileSync } from 'node:fs';

const seen = new Set<string>();
export function recordUse(name: string, { action, partitionKey, index }: TableUse): void {
  const line = `${name} ${index ? `index:${index}` : ''}${action} ${/^[A-Z-]+#?/.exec(partitionKey)?.[0]}`;
  if (seen.has(line)) return;
  seen.add(line);
  appendFileSync('/tmp/rights-used.txt', `${line}\n`);
}
