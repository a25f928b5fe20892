import type { Deletion } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformResponse } from '../contract/http.ts';
import { hasStatus } from './error-table.ts';

/** Returns true if the platform itself said that it has no such post, with status 404. A proxy's page says nothing. */
export const isNoSuchPost = (error: unknown): boolean => hasStatus(error, 404) && error.remedy === 'rejected';

/** Checks the response of a platform that confirms a deletion with status 204. A page that came with another status says nothing. */
export function requireDeletion({ status, call }: PlatformResponse): void {
  if (status !== 204) throw new PlatformError('unknown', `${call} did not confirm the deletion`, { status });
}

/**
 * Deletes a post.
 *
 * @param send makes the call
 * @param isMissing returns true if its error means that there is no such post
 */
export async function deleting(
  send: () => Promise<unknown>,
  isMissing: (error: unknown) => boolean,
): Promise<Deletion> {
  try {
    await send();
    return 'deleted';
  } catch (error) {
    if (isMissing(error)) return 'gone';
    throw error;
  }
}

/**
 * Does what {@link deleting} does for an API that answers a missing permission and a missing post alike: the post counts as gone only
 * if it cannot be read either, although its account can. Reads may lag behind a deletion, so a post that can be read is tried again.
 *
 * @param read reads the account or the post, with a permission that publishing needs too
 */
export async function deletingUnlessReadable(
  send: () => Promise<unknown>,
  isMissing: (error: unknown) => error is PlatformError,
  read: (what: 'account' | 'post') => Promise<unknown>,
): Promise<Deletion> {
  try {
    await send();
    return 'deleted';
  } catch (error) {
    if (!isMissing(error)) throw error;
    await read('account');
    if ((await deleting(() => read('post'), isMissing)) === 'gone') return 'gone';
    const { message, status, platformCode } = error;
    throw new PlatformError('retry', message, { status, platformCode, cause: error });
  }
}
