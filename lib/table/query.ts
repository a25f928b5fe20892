import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

/**
 * Everything a query finds, strongly consistent, page by page. For collections whose size is bounded by what they are:
 * a post and its targets, a workspace's keys.
 */
export async function queryAll(
  table: Table,
  query: Pick<QueryCommandInput, 'KeyConditionExpression' | 'ExpressionAttributeValues'>,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new QueryCommand({ ...query, TableName: table.name, ExclusiveStartKey: start, ConsistentRead: true }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}
