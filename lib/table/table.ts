import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** The table, as every store is given it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
}

/**
 * Opens the table. The SDK sets no time limits of its own; without them one hung socket eats a function's whole time.
 * Without `throwOnRequestTimeout` the request time limit would only log.
 */
export function openTable(name: string): Table {
  const client = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
    }),
  });
  return {
    name,
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
  };
}
