/**
 * Conflicts of transactions with other requests for the same items.
 *
 * A running TransactWriteItems holds its items. What else is refused meanwhile is as AWS documents it ("Transaction conflict
 * handling" and "Isolation levels" in
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html):
 *
 * - PutItem, UpdateItem and DeleteItem: TransactionConflictException.
 * - TransactWriteItems and TransactGetItems: TransactionCanceledException, whose reasons are in the order of the parts.
 *   A TransactGetItems conflicts with a running PutItem, UpdateItem, DeleteItem and BatchWriteItem too.
 * - GetItem, BatchGetItem, Query and Scan, consistent or not: none. They show the items before or after the transaction.
 * - BatchWriteItem: each write is isolated like a single one, but AWS does not say how the batch reports it. Here, the write
 *   is handed back in `UnprocessedItems`, which a caller must expect anyway.
 */

import { AwsError } from '../errors.ts';

/** The reason that a transaction is cancelled, for each of its parts in order. */
export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
}

export class TransactionCancelled extends AwsError {
  readonly reasons: readonly CancellationReason[];

  constructor(reasons: readonly CancellationReason[]) {
    const codes = reasons.map(({ Code }) => Code).join(', ');
    super(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    );
    this.reasons = reasons;
  }
}

const message = 'Transaction is ongoing for the item';

/** The name of the item that a part of a request reads or writes; `undefined` if it names none. */
export type ItemName = string | undefined;

export interface TransactionConflicts {
  /** Returns true if a running transaction holds the item. */
  isHeld(item: ItemName): boolean;
  /**
   * Begins a transaction.
   *
   * @param token the request's `ClientRequestToken`
   * @returns a function that releases the items
   * @throws TransactionCancelled if another one holds an item; AwsError `TransactionInProgressException` if that is this very
   *   request, sent again
   */
  beginTransaction(items: readonly ItemName[], token: string | undefined): () => void;
  /** @throws TransactionCancelled if an item is being written */
  requireUnwritten(items: readonly ItemName[]): void;
  /**
   * Begins a write of single items.
   *
   * @returns a function that ends it
   * @throws AwsError `TransactionConflictException` if a transaction holds an item
   */
  beginWrite(items: readonly ItemName[]): () => void;
}

export function createTransactionConflicts(): TransactionConflicts {
  const holders = new Map<string, object>();
  const tokens = new Map<string, object>();
  const writing = new Map<string, number>();

  const isHeld = (item: ItemName) => item !== undefined && holders.has(item);

  function count(items: readonly ItemName[], step: 1 | -1): void {
    for (const item of items) {
      if (item === undefined) continue;
      const after = (writing.get(item) ?? 0) + step;
      if (after > 0) writing.set(item, after);
      else writing.delete(item);
    }
  }

  return {
    isHeld,
    beginTransaction(items, token) {
      if (token !== undefined && tokens.has(token)) {
        throw new AwsError(
          'TransactionInProgressException',
          'The transaction with the given request token is already in progress.',
        );
      }
      cancelIfAny(items, isHeld);
      const holder = {};
      for (const item of items) if (item !== undefined) holders.set(item, holder);
      if (token !== undefined) tokens.set(token, holder);
      return () => {
        for (const item of items)
          if (item !== undefined && holders.get(item) === holder) holders.delete(item);
        if (token !== undefined) tokens.delete(token);
      };
    },
    requireUnwritten(items) {
      cancelIfAny(items, (item) => isHeld(item) || (item !== undefined && writing.has(item)));
    },
    beginWrite(items) {
      if (items.some(isHeld)) throw new AwsError('TransactionConflictException', message);
      count(items, 1);
      return () => count(items, -1);
    },
  };
}

function cancelIfAny(items: readonly ItemName[], isBusy: (item: ItemName) => boolean): void {
  if (!items.some(isBusy)) return;
  throw new TransactionCancelled(
    items.map((item) =>
      isBusy(item) ? { Code: 'TransactionConflict', Message: message } : { Code: 'None' },
    ),
  );
}
