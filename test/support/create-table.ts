import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from './table-definition.ts';

/** Makes an empty table of the service's shape where the environment's variables lead. */
export async function createTable(name: string): Promise<void> {
  const client = new DynamoDBClient({});
  await client.send(new CreateTableCommand(tableDefinition(name)));
  await waitUntilTableExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 20 }, { TableName: name });
  client.destroy();
}
