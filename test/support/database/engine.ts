import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { accessTo } from '../create-table.ts';
import type { Database, Item } from './database.ts';

const commands: Readonly<Record<string, new (input: never) => object>> = {
  CreateTable: CreateTableCommand,
  DeleteTable: DeleteTableCommand,
  GetItem: GetCommand,
  PutItem: PutCommand,
  UpdateItem: UpdateCommand,
  DeleteItem: DeleteCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  BatchGetItem: BatchGetCommand,
  BatchWriteItem: BatchWriteCommand,
  TransactGetItems: TransactGetCommand,
  TransactWriteItems: TransactWriteCommand,
};

/** The real database engine, through the document client of the SDK. */
export function openEngine(endpoint: string): Database {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...accessTo(endpoint), maxAttempts: 1 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    async request(operation, input) {
      const Command = commands[operation];
      if (!Command) throw new Error(`the real engine is not asked for ${operation}`);
      const { $metadata: _, ...output } = (await client.send(new Command(input as never) as never)) as Item;
      return output;
    },
  };
}
