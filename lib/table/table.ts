import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { awsClientOptions } from '../aws/client-options.ts';

/** The table, as every store is given it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

export function openTable(name: string): Table {
  return {
    name,
    client: DynamoDBDocumentClient.from(new DynamoDBClient(awsClientOptions()), {
      marshallOptions: { removeUndefinedValues: true },
    }),
  };
}
