import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { type IndexShape, indexes, tableShape } from '../../lib/table/schema.ts';
import { openTable, type Table } from '../../lib/table/table.ts';

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
  const client = new DynamoDBClient({});
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema(tableShape),
      AttributeDefinitions: attributeNames().map((attribute) => ({
        AttributeName: attribute,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: Object.values(indexes).map((index) => ({
        IndexName: index.indexName,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: index.projection },
      })),
    }),
  );
  await waitUntilTableExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 20 }, { TableName: name });
  client.destroy();
  return openTable(name);
}

function keySchema({ partitionKey, sortKey }: Pick<IndexShape, 'partitionKey' | 'sortKey'>) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}

function attributeNames(): string[] {
  const keys = [tableShape, ...Object.values(indexes)];
  return [...new Set(keys.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]))];
}
