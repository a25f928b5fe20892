/**
 * Refuses requests for which a token bucket has no tokens, as AWS documents it
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html and the API reference of
 * BatchWriteItem, BatchGetItem and TransactWriteItems). An item read or written takes one token; a query or scan takes one.
 */

import { AwsError } from '../errors.ts';
import type { TokenBucket } from '../token-bucket.ts';
import { TransactionCancelled } from './transaction-conflicts.ts';

/**
 * @param parts the number of items that the request reads or writes
 * @returns the number of them that may be processed, from the first; fewer than all only for a batch
 * @throws AwsError `ProvisionedThroughputExceededException`; for a transaction TransactionCancelled, with reasons
 */
export function takeCapacity(bucket: TokenBucket | undefined, operation: string, parts: number): number {
  if (!bucket || parts === 0) return parts;
  const taken = bucket.takeUpTo(parts);
  if (taken === parts) return parts;
  if (operation.startsWith('Transact')) {
    throw new TransactionCancelled(
      Array.from({ length: parts }, (_, index) =>
        index < taken
          ? { Code: 'None' }
          : {
              Code: 'ThrottlingError',
              Message:
                'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.',
            },
      ),
    );
  }
  if (taken === 0) {
    throw new AwsError(
      'ProvisionedThroughputExceededException',
      'The level of configured provisioned throughput for the table was exceeded.',
    );
  }
  return taken;
}
