import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { type IndexShape, indexes, tableShape } from '../../lib/table/schema.ts';

/** Makes an empty table of the service's shape where the environment's variables lead. */
export async function createTable(name: string): Promise<void> {
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
