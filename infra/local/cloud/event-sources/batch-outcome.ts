import * as z from 'zod';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';

/** The records of a batch that must be retried: all of them, or those with these identifiers. */
export type FailedRecords = 'all' | ReadonlySet<string>;

const partialBatch = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullable(),
});

/**
 * Reads a function's response to a batch. An invalid response (a wrong key, an empty or unknown identifier, text) fails the whole
 * batch, like an error. `null` or an empty object fails no record.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 *
 * @param reports true if the mapping enables partial batch responses. Otherwise every response is a success.
 * @param identifiers the identifiers of the batch's records.
 */
export function failedRecords(
  outcome: InvokeOutcome,
  reports: boolean,
  identifiers: readonly string[],
): FailedRecords {
  if (!outcome.ok) return 'all';
  if (!reports || isEmpty(outcome.result)) return new Set();
  const parsed = partialBatch.safeParse(outcome.result);
  if (!parsed.success) return 'all';
  const failed = (parsed.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((identifier) => identifiers.includes(identifier)) ? new Set(failed) : 'all';
}

function isEmpty(result: unknown): boolean {
  return (
    result === null ||
    (typeof result === 'object' && Object.keys(result).length === 0 && !Array.isArray(result))
  );
}
