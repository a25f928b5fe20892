import * as z from 'zod';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';

/** Which records of a batch have to come again: all of them, or those with these identifiers. */
export type FailedRecords = 'all' | ReadonlySet<string>;

const partialBatch = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullable(),
});

/**
 * Reads a function's answer to a batch. An answer that does not have the agreed form (another key, an empty or
 * unknown identifier, text) fails the whole batch, as an error does; none at all, or an empty object, fails nothing.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 *
 * @param reports whether the mapping asks for partial answers; else any answer is a success.
 * @param identifiers those of the batch.
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
