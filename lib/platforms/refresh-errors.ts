import { PlatformError } from './errors.ts';

/**
 * Runs a refresh so that it fails in one of two ways: `reauthorise` where the platform refuses the token itself, and
 * `retry` for everything else, an operator's mistake in the app's credentials included. Only the first says anything
 * about the account.
 */
export async function refreshing<T>(refresh: () => Promise<T>): Promise<T> {
  try {
    return await refresh();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.remedy === 'reauthorise' || error.remedy === 'retry') throw error;
    const { message, status, platformCode } = error;
    throw new PlatformError('retry', message, { status, platformCode, cause: error });
  }
}
