import { PlatformError } from '../contract/errors.ts';

/** @throws PlatformError `rejected` naming every scope that the user left out */
export function requireScopes(
  platform: string,
  required: readonly string[],
  granted: readonly string[],
): void {
  const missing = required.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return;
  throw new PlatformError(
    'rejected',
    `${platform} was not allowed everything that is needed: connect again and leave every permission ticked. Missing: ${missing.join(', ')}`,
  );
}

/**
 * Runs a refresh so that it fails in one of three ways: `reauthorise` where the platform refuses the token itself,
 * `restricted` where it has restricted the account, and `retry` for everything else, an operator's mistake in the app's
 * credentials included, which says nothing about the account.
 */
export async function refreshing<T>(refresh: () => Promise<T>): Promise<T> {
  try {
    return await refresh();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.remedy === 'reauthorise' || error.remedy === 'restricted' || error.remedy === 'retry')
      throw error;
    const { message, status, platformCode, retryAfterSeconds } = error;
    throw new PlatformError('retry', message, {
      status,
      platformCode,
      retryAfterSeconds,
      cause: error,
    });
  }
}
