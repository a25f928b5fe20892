import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AwsAccess, awsClientOptions } from '../aws/client-options.ts';
import { backoffMs, sleep } from '../kernel/retry.ts';
import type { FoundItems } from './found-items.ts';
import type { Key } from './keys.ts';
import { defaultRetention, type Retention } from './retention.ts';

/** The table, as every store receives it. */
export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  /** The retention of records. Absent: {@link defaultRetention}. */
  readonly retention?: Retention;
  /** Reports an item that cannot be read to operators. */
  readonly report?: (key: Key, error: unknown) => void;
  /** Reads items by key in shared requests, instead of one request per call: see `readingTogether`. */
  readonly readItems?: (keys: readonly Key[], isEventual: boolean) => Promise<FoundItems>;
  /** Replaces {@link backOff} in tests and simulations that control time and chance. */
  readonly backOff?: (attempt: number, range: BackoffRange) => Promise<void>;
}

/** Returns the retention of a table's records. */
export const retentionOf = ({ retention = defaultRetention }: Pick<Table, 'retention'>): Retention =>
  retention;

export interface BackoffRange {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Waits, with jittered exponential backoff, before a request that the table could not serve is repeated. */
export async function backOff(table: Table, attempt: number, range: BackoffRange): Promise<void> {
  if (table.backOff) return table.backOff(attempt, range);
  await sleep(backoffMs(attempt, range, Math.random()));
}

export function openTable(name: string, access?: AwsAccess): Table {
  return {
    name,
    client: DynamoDBDocumentClient.from(new DynamoDBClient(awsClientOptions(access)), {
      marshallOptions: { removeUndefinedValues: true },
    }),
  };
}
