import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { backOff, type Table } from './table.ts';

export type TransactionItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** `committed`, or which condition failed, with the item that stood in the way where the write asked for it. */
export type TransactionOutcome = { readonly committed: true } | Refusal;

export interface Refusal {
  readonly committed: false;
  readonly failedIndex: number;
  readonly oldItem: Record<string, unknown> | undefined;
}

const usualAttempts = 6;

/**
 * Writes all or nothing. Two transactions that meet on an item cancel each other without either being wrong
 * (TransactionConflict): those are repeated after a short random wait.
 *
 * @param mostAttempts more where many are expected to meet on one item
 * @throws whatever DynamoDB says that is neither a failed condition nor a conflict
 */
export async function transact(
  table: Table,
  items: TransactionItems,
  mostAttempts: number = usualAttempts,
): Promise<TransactionOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: items }));
      return { committed: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failedIndex = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
      if (failedIndex >= 0) {
        const oldItem = reasons[failedIndex]?.Item;
        // The document client leaves the items inside errors as they came.
        return { committed: false, failedIndex, oldItem: oldItem && unmarshall(oldItem) };
      }
      const isConflict = reasons.some((reason) => reason.Code === 'TransactionConflict');
      if (!isConflict || attempt === mostAttempts) throw error;
      await backOff(table, attempt, { baseMs: 50, capMs: 1_000 });
    }
  }
}
