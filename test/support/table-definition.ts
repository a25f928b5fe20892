import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { type IndexShape, indexes, tableShape } from '../../lib/table/schema.ts';

/** Returns the CreateTable input for a table with the service's keys and indexes. */
export function tableDefinition(name: string) {
  return {
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
  } satisfies CreateTableCommandInput;
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
