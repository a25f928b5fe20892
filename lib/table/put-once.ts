import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;

/**
 * Stores an item unless one is there under its key.
 *
 * @returns the item that was there and stays; `undefined` where this one was stored. The SDK repeats a write whose
 *   reply was lost, so what was there may be this very item.
 */
export async function putOnce(table: Table, item: Item): Promise<Item | undefined> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: item,
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ? unmarshall(error.Item) : {};
  }
}
