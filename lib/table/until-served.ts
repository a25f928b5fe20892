import {
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { backOff, type Table } from './table.ts';

/**
 * The reason that DynamoDB did not carry out a valid request. It certainly had no effect, so any request may be repeated.
 *
 * - `conflict`: a transaction holds an item, or another request writes it. The SDK does not repeat these.
 * - `throttled transaction`: the SDK does not repeat these either.
 * - `throttled`: the SDK has repeated the request already.
 *
 * After a timeout or a status of 5xx it is unknown whether the request had an effect: only the SDK repeats these, and callers
 * recognize their own write. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
export type Refusal = 'conflict' | 'throttled transaction' | 'throttled';

const throttlingReasons = ['ThrottlingError', 'ProvisionedThroughputExceeded'];
const throttlingErrors = [ProvisionedThroughputExceededException, ThrottlingException, RequestLimitExceeded];

/** @returns `undefined` if the refusal is final or the outcome of the request is unknown */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof TransactionConflictException) return 'conflict';
  if (throttlingErrors.some((kind) => error instanceof kind)) return 'throttled';
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const codes = (error.CancellationReasons ?? []).map(({ Code = 'None' }) => Code);
  const others = codes.filter((code) => code !== 'None');
  const isTransient = (code: string) => code === 'TransactionConflict' || throttlingReasons.includes(code);
  if (others.length === 0 || !others.every(isTransient)) return undefined;
  return others.includes('TransactionConflict') ? 'conflict' : 'throttled transaction';
}

/**
 * The number of tries of a request, over about six seconds. So 50 transactions that begin at the same time, and all write one
 * item, are all committed (`test/lib/table/contention.test.ts`).
 */
const defaultAttempts = 16;
/** The number of tries if throttled. Each is four attempts of the SDK. */
const throttledAttempts = 3;

const range = { baseMs: 50, capMs: 1_000 };

export interface RepeatLimits {
  /** The number of tries while other requests write its items. */
  readonly conflictAttempts?: number | undefined;
}

/**
 * Sends a request until DynamoDB carries it out or finally refuses it, with jittered backoff. This is the only place that repeats
 * requests to the table because of conflicts and throttling.
 *
 * @throws every error of the request, at the latest after about twelve seconds
 */
export async function untilServed<Output>(
  table: Table,
  request: () => Promise<Output>,
  { conflictAttempts = defaultAttempts }: RepeatLimits = {},
): Promise<Output> {
  const limits = {
    conflict: conflictAttempts,
    'throttled transaction': defaultAttempts,
    throttled: throttledAttempts,
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || attempt >= limits[refusal]) throw error;
      await backOff(table, attempt, range);
    }
  }
}

/**
 * Sends a batch, and repeats the entries that DynamoDB returns unprocessed because it throttles them, with jittered backoff.
 *
 * @param entries the entries, of which a request may process only some
 * @param request sends entries, and returns those that were not processed
 * @throws every error of the request; Error if sixteen requests in a row process nothing
 */
export async function untilProcessed<Entry>(
  table: Table,
  entries: readonly Entry[],
  request: (entries: readonly Entry[]) => Promise<readonly Entry[]>,
): Promise<void> {
  let waiting = entries;
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    const unprocessed = await untilServed(table, () => request(waiting));
    if (unprocessed.length === 0) return;
    if (unprocessed.length < waiting.length) attempt = 1;
    if (attempt >= defaultAttempts) {
      throw new Error(`the table processed none of ${waiting.length} items in ${attempt} requests`);
    }
    waiting = unprocessed;
    await backOff(table, attempt, range);
  }
}
