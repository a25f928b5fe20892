/**
 * Returns true if AWS failed rather than our own code: a client of the SDK threw the error, because a service returned an error
 * or did not respond. In both cases, the retry middleware of the SDK adds `$metadata` with the number of attempts
 * (https://github.com/smithy-lang/smithy-typescript, `@smithy/core/retry`).
 */
export function isAwsFailure(error: unknown): boolean {
  return error instanceof Error && '$metadata' in error;
}
