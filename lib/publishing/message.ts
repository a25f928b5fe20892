import * as z from 'zod';
import type { Target } from '../targets/schemas.ts';

/**
 * A message of the publish queue: it names a target and one of its wakes. It carries no state; the worker reads that. A
 * message is out of date if its number is no longer the target's.
 */
export const PublishMessage = z.object({
  workspaceId: z.uuid(),
  postId: z.uuid(),
  accountId: z.uuid(),
  wakeNumber: z.int(),
  /** Sent by a worker to take over if that worker crashes. Obsolete in nearly all cases. */
  isTakeover: z.boolean().optional(),
  /** See `ContinuedMessage`. */
  sends: z.int().optional(),
});
export type PublishMessage = z.infer<typeof PublishMessage>;

/** The message for a target's current wake. */
export function messageOf({ workspaceId, postId, accountId, wakeNumber }: Target): PublishMessage {
  return { workspaceId, postId, accountId, wakeNumber };
}

/** The queues of the wakes. */
export type WakeQueue = 'publish' | 'upload';

/** The queue that takes the wakes of a target in its present state. Pure. */
export function queueOf(_target: Target): WakeQueue {
  return 'publish';
}
