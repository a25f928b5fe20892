import { unsettledCall } from '../../at-most-once/call-records.ts';
import type { AbandonedUpload } from '../../overdue/repair-tasks.ts';
import { uploadIdOf } from '../../platforms/contract/live-post.ts';
import type { Target } from '../../targets/schemas.ts';

/**
 * Returns the upload that a committed change of a target abandons; `undefined` if there is none. The target was deleted or failed,
 * or has begun another upload. Pure.
 *
 * @param before the target as it was; absent for a new one
 * @param after the target as it is; absent if it was deleted
 */
export function abandonedUpload(
  before: Target | undefined,
  after: Target | undefined,
): AbandonedUpload | undefined {
  const uploadId = before && neededUpload(before);
  if (uploadId === undefined || before?.preparation === undefined) return undefined;
  const isNeeded = after && (after.publishedAt !== undefined || neededUpload(after) === uploadId);
  if (isNeeded) return undefined;
  const { workspaceId, postId, accountId, platform, preparation } = before;
  return { workspaceId, postId, accountId, platform, preparation };
}

/** Returns the name of the upload that a target may still publish. */
function neededUpload({ status, publishedAt, calls, preparation }: Target): string | undefined {
  // Once it is live, the upload is the post.
  if (publishedAt !== undefined) return undefined;
  // A retry of a failed target prepares anew, unless the outcome of its last call is unknown.
  if (status === 'failed' && unsettledCall(calls) === undefined) return undefined;
  return uploadIdOf(preparation);
}
