import * as z from 'zod';
import type { Target } from '../targets/schemas.ts';
import { mayPrepareEarly } from '../targets/wake.ts';

const TargetWake = z.object({ accountId: z.uuid(), wakeNumber: z.int() });

/**
 * One wake of one target. It carries no state; the worker reads that. It is out of date if its number is no longer the
 * target's.
 */
export const PublishMessage = TargetWake.extend({
  workspaceId: z.uuid(),
  postId: z.uuid(),
  /** Sent by a worker to take over if that worker crashes. Obsolete in nearly all cases. */
  isTakeover: z.boolean().optional(),
  /**
   * The time of the wake. A worker sends a message that arrives earlier back without a read. Absent if the work may start earlier, and
   * in messages of earlier releases.
   */
  wakeAt: z.iso.datetime().optional(),
  /** The queue that it is sent to; absent: `publish`. */
  queue: z.literal('upload').optional(),
  /** See `ContinuedMessage`. */
  sends: z.int().optional(),
});
export type PublishMessage = z.infer<typeof PublishMessage>;

/**
 * A message of the queues of wakes, as it is sent: the wake of one target, and of others of the post that are due at the
 * same time. A release that does not know `siblings` reads the first target only; the sweep finds the others.
 */
export const WakeMessage = PublishMessage.extend({ siblings: z.array(TargetWake).optional() });
export type WakeMessage = z.infer<typeof WakeMessage>;

/**
 * The most targets of a message. A worker works all messages of a batch at the same time, five of them, with the share of a
 * processor that its memory brings; so it works 20 targets at most.
 */
export const mostTargets = 4;

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

/**
 * Joins wakes of one post that are due together to as few messages as possible, of about the same size. Pure. The same wakes
 * make the same messages, in whatever order they come.
 */
export function joinWakes(wakes: readonly PublishMessage[]): WakeMessage[] {
  const byTarget = new Map(wakes.map((wake) => [wakeName(wake), wake]));
  const ordered = [...byTarget].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, wake]) => wake);
  // A worker sends the file of one target at a time.
  const most = ordered[0]?.queue === 'upload' ? 1 : mostTargets;
  const size = Math.ceil(ordered.length / Math.ceil(ordered.length / most));
  const messages: WakeMessage[] = [];
  for (let from = 0; from < ordered.length; from += size) {
    const [first, ...others] = ordered.slice(from, from + size);
    if (first === undefined) continue;
    const siblings = others.map(({ accountId, wakeNumber }) => ({ accountId, wakeNumber }));
    messages.push({ ...first, ...(siblings.length > 0 && { siblings }) });
  }
  return messages;
}

/** Names a wake among those of its post. */
export const wakeName = ({ accountId, wakeNumber }: z.infer<typeof TargetWake>) =>
  `${accountId} ${wakeNumber}`;

/** The wakes that a message names, each as a message of its own. */
export function wakesOf({ siblings = [], ...first }: WakeMessage): PublishMessage[] {
  return [first, ...siblings.map((sibling) => ({ ...first, ...sibling }))];
}

/** The queues of the wakes. */
export type WakeQueue = 'publish' | 'upload';

/**
 * The queue that takes the wakes of a target in its present state. Pure. What an earlier release has planned goes to
 * `publish`, whose worker passes on a target that must send a file.
 */
export function queueOf({ status, sendsFile }: Pick<Target, 'status' | 'sendsFile'>): WakeQueue {
  return status === 'scheduled' && sendsFile ? 'upload' : 'publish';
}
