import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;

/** The item as it is now, or, where the condition failed, as it stood in the way: `undefined` where there is none. */
export type UpdateOutcome =
  | { readonly written: true; readonly item: Item }
  | { readonly written: false; readonly item: Item | undefined };

/**
 * Updates one item if its condition holds.
 *
 * The SDK repeats a write whose reply was lost, and the repeated one may then meet what the first has done. A caller
 * that must know its own write again leaves a mark of its own in it.
 */
export async function conditionalUpdate(
  table: Table,
  update: Pick<
    UpdateCommandInput,
    | 'Key'
    | 'UpdateExpression'
    | 'ConditionExpression'
    | 'ExpressionAttributeNames'
    | 'ExpressionAttributeValues'
  >,
): Promise<UpdateOutcome> {
  try {
    const { Attributes = {} } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        ...update,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { written: true, item: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, item: error.Item && unmarshall(error.Item) };
  }
}
