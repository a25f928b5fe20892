import { AwsError } from '../errors.ts';

/**
 * Runs each entry of a batch. A refused entry does not affect the others.
 *
 * @throws AwsError for an invalid batch: no entries, more than 10, or invalid or repeated ids.
 */
export function runBatch<Entry extends { Id: string }>(
  entries: readonly Entry[],
  run: (entry: Entry) => unknown,
) {
  checkBatch(entries);
  const successful: object[] = [];
  const failed: object[] = [];
  for (const entry of entries) {
    try {
      successful.push(Object.assign({ Id: entry.Id }, run(entry)));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful: successful, ...(failed.length > 0 && { Failed: failed }) };
}

function checkBatch(entries: readonly { Id: string }[]): void {
  if (entries.length === 0) {
    throw new AwsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > 10) {
    throw new AwsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${entries.length}.`,
    );
  }
  if (!entries.every(({ Id }) => /^[A-Za-z0-9_-]{1,80}$/.test(Id))) {
    throw new AwsError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores.',
    );
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new AwsError(
      'BatchEntryIdsNotDistinct',
      'Two or more batch entries in the request have the same Id.',
    );
  }
}
