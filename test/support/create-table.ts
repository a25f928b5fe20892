import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { AwsAccess } from '../../lib/aws/client-options.ts';
import { tableDefinition } from './table-definition.ts';

/**
 * Client options for a local endpoint that does not check credentials. A request has no time limit: if it was sent again because the
 * machine is slow, a test would see two.
 */
export const accessTo = (endpoint: string): AwsAccess => ({
  endpoint,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  limits: { connectionTimeout: 0, requestTimeout: 0 },
});

/** Creates an empty table with the service's keys and indexes. */
export async function createTable(name: string, access: AwsAccess): Promise<void> {
  const client = new DynamoDBClient(access);
  await client.send(new CreateTableCommand(tableDefinition(name)));
  await waitUntilTableExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 20 }, { TableName: name });
  client.destroy();
}
