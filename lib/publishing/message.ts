import * as z from 'zod';
import type { AbandonedUpload } from '../overdue/repair-tasks.ts';
import type { Target } from '../targets/schemas.ts';
import { mayPrepareEarly } from '../targets/wake.ts';

/**
 * A message of the queues of wakes: one wake of one target. It carries no state; the worker reads that. It is out of date if its
 * number is no longer the target's.
 */
export const PublishMessage = z.object({
  workspaceId: z.uuid(),
  postId: z.uuid(),
  accountId: z.uuid(),
  wakeNumber: z.int(),
  /**
   * The time of the wake. A worker sends a message that arrives earlier back without a read. Absent if the work may start earlier, and
   * in messages of earlier releases.
   */
  wakeAt: z.iso.datetime().optional(),
  /** The time at which a second message for the wake arrives, see `wakeMessages`. Absent: none was sent. */
  checkAt: z.iso.datetime().optional(),
  /** The id of the task of an upload to delete. Then the message names no wake: its number is {@link noWake}. */
  discards: z.string().optional(),
  /** The queue that it is sent to; absent: `publish`. */
  queue: z.literal('upload').optional(),
  /** See `ContinuedMessage`. */
  sends: z.int().optional(),
});
export type PublishMessage = z.infer<typeof PublishMessage>;

/** The number of no wake. A release that does not know `discards` drops the message. */
const noWake = -1;

/** The message for the deletion of an upload. @param taskId the id of its task */
export function discardMessage(
  { workspaceId, postId, accountId }: AbandonedUpload,
  taskId: string,
): PublishMessage {
  return { workspaceId, postId, accountId, wakeNumber: noWake, queue: 'upload', discards: taskId };
}

/** The message for a target's current wake. */
export function messageOf(target: Target): PublishMessage {
  const { workspaceId, postId, accountId, wakeNumber, wakeAt } = target;
  const queue = queueOf(target);
  return {
    workspaceId,
    postId,
    accountId,
    wakeNumber,
    ...(!mayPrepareEarly(target) && wakeAt !== undefined && { wakeAt }),
    ...(queue === 'upload' && { queue }),
  };
}

/** The queues of the wakes. */
export type WakeQueue = 'publish' | 'upload';

/**
 * The queue that takes the wakes of a target in its present state. Pure. What an earlier release has planned goes to
 * `publish`, whose worker passes on a target that must send a file.
 */
export function queueOf({
  status,
  sendsFile,
  awaitsFiles,
}: Pick<Target, 'status' | 'sendsFile' | 'awaitsFiles'>): WakeQueue {
  return status === 'scheduled' && sendsFile && !awaitsFiles ? 'upload' : 'publish';
}
