/** Deploys the template's tables to the engine. */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { TableResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import type { EngineClient } from './engine-client.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const attributeDefinitions = z.array(z.looseObject({ AttributeName: z.string() }));
const index = z.looseObject({
  IndexName: z.string(),
  KeySchema: keySchema,
  IndexStatus: z.string().optional(),
});
const tableDescription = z.object({
  TableStatus: z.string().optional(),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(index).default([]),
  LatestStreamArn: z.string().optional(),
});

export type TableDescription = z.infer<typeof tableDescription>;

/** @returns undefined if the table does not exist. */
export async function describeTable(
  client: EngineClient,
  name: string,
): Promise<TableDescription | undefined> {
  try {
    const { Table } = await client.call('DynamoDB_20120810.DescribeTable', { TableName: name });
    return tableDescription.parse(Table);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Returns a table without its global secondary indexes, and without the attributes that only they need. */
export function withoutIndexes(table: TableResource): TableResource {
  const { GlobalSecondaryIndexes: _indexes, AttributeDefinitions, ...rest } = table.definition;
  const { KeySchema, LocalSecondaryIndexes } = z
    .looseObject({ KeySchema: keySchema, LocalSecondaryIndexes: z.array(index).default([]) })
    .parse(rest);
  const keys = [KeySchema, ...LocalSecondaryIndexes.map((local) => local.KeySchema)].flat();
  const needed = new Set(keys.map(({ AttributeName }) => AttributeName));
  const attributes = attributeDefinitions.parse(AttributeDefinitions);
  return {
    ...table,
    definition: {
      ...rest,
      AttributeDefinitions: attributes.filter(({ AttributeName }) => needed.has(AttributeName)),
    },
  };
}

/**
 * Creates a missing table and adds missing indexes to an existing one. Keeps its items.
 *
 * @throws Error if the table's key differs from the template's: on AWS such a change replaces the table.
 */
export async function deployTable(client: EngineClient, table: TableResource): Promise<void> {
  const definition = z
    .looseObject({ KeySchema: keySchema, GlobalSecondaryIndexes: z.array(index).default([]) })
    .parse(table.definition);
  const present = await describeTable(client, table.name);
  if (!present) {
    await createTable(client, table);
  } else if (JSON.stringify(present.KeySchema) !== JSON.stringify(definition.KeySchema)) {
    throw new Error(
      `The key of table ${table.name} has changed: remove the data directory to start with an empty table.`,
    );
  }
  const known = new Set(
    (await whenActive(client, table.name)).GlobalSecondaryIndexes.map((entry) => entry.IndexName),
  );
  for (const missing of definition.GlobalSecondaryIndexes.filter(({ IndexName }) => !known.has(IndexName))) {
    await client.call('DynamoDB_20120810.UpdateTable', {
      TableName: table.name,
      AttributeDefinitions: table.definition['AttributeDefinitions'],
      GlobalSecondaryIndexUpdates: [{ Create: missing }],
    });
    await whenActive(client, table.name);
  }
}

async function createTable(client: EngineClient, table: TableResource): Promise<void> {
  await client.call('DynamoDB_20120810.CreateTable', {
    ...table.definition,
    TableName: table.name,
    ...(table.streamViewType !== undefined && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: table.streamViewType },
    }),
  });
  await whenActive(client, table.name);
  if (table.timeToLiveAttribute !== undefined) {
    await client.call('DynamoDB_20120810.UpdateTimeToLive', {
      TableName: table.name,
      TimeToLiveSpecification: { Enabled: true, AttributeName: table.timeToLiveAttribute },
    });
  }
}

async function whenActive(client: EngineClient, name: string): Promise<TableDescription> {
  for (;;) {
    const description = await describeTable(client, name);
    const statuses = [
      description?.TableStatus ?? 'ACTIVE',
      ...(description?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus ?? 'ACTIVE'),
    ];
    if (description && statuses.every((status) => status === 'ACTIVE')) return description;
    await sleep(10);
  }
}
