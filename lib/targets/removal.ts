import * as z from 'zod';
import { StoredErrorDetail } from './problem.ts';
import type { TargetStatus } from './state.ts';
import { platformPostIdsOf, type Threaded } from './thread.ts';

/**
 * The state of a removal:
 * - `requested`: somebody has asked for it, and a worker deletes the posts;
 * - `failed`: they could not be deleted, or not all of them. Somebody may ask again;
 * - `removed`: all of them are gone.
 */
export const RemovalState = z.enum(['requested', 'failed', 'removed']);
export type RemovalState = z.infer<typeof RemovalState>;

/** The one who has deleted a post: this service, or somebody at the platform. */
export const RemovedBy = z.enum(['service', 'person']).meta({ id: 'RemovedBy' });

/**
 * The deletion of the posts of a live target at the platform. A target that has one never goes live again, whatever became of it.
 * Each deletion has an *intent*, committed before the call: after a lost response, a post that is not there was deleted by that call.
 */
export const Removal = z.object({
  state: RemovalState,
  by: RemovedBy,
  /** The time of the latest request; absent if the posts were deleted at the platform before anybody asked. */
  requestedAt: z.string().optional(),
  /** The ids of the posts for which there is an intent. */
  intended: z.array(z.string()).optional(),
  /** The ids of the posts that are gone. */
  gone: z.array(z.string()).optional(),
  /** The reason of the failure, or of the next try; for people and for programs. */
  error: z.string().optional(),
  errorDetail: StoredErrorDetail.optional(),
});
export type Removal = z.infer<typeof Removal>;

interface Removable {
  readonly removal?: Removal | undefined;
}

/** True while a worker has to delete posts of the target. */
export const awaitsRemoval = ({ removal }: Removable): boolean => removal?.state === 'requested';

/** True once somebody has asked to take the target down, or its posts are gone. Nothing of it is published or sent any more. */
export const isTakenDown = ({ removal }: Removable): boolean => removal !== undefined;

/** Returns the ids of the target's posts that are still live, the latest first: parts of a thread reply to the one before. */
export function idsToRemove(target: Threaded & Removable): string[] {
  const gone = target.removal?.gone ?? [];
  return platformPostIdsOf(target)
    .filter((id) => !gone.includes(id))
    .reverse();
}

/**
 * True if a post was taken down as a whole: all of its targets that went live were, and none can still go live. Nothing is left that
 * the steps of its chain could follow.
 */
export function isWholePostTakenDown(
  targets: readonly (Removable & { readonly status: TargetStatus })[],
): boolean {
  return (
    targets.some(isTakenDown) && targets.every((target) => target.status === 'failed' || isTakenDown(target))
  );
}
