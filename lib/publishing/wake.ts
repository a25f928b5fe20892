import { secondMs } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import type { PublishMessage } from './message.ts';

/**
 * A one-off schedule fires up to 60 s late (EventBridge Scheduler's precision), so it is set this much ahead of the
 * wake and the rest is waited out in the queue.
 */
export const schedulerPrecisionMs = 60 * secondMs;

/** What is due within this time goes to the queue at once: a schedule could not be set ahead of it with a margin. */
const queueHorizonMs = 180 * secondMs;

/** SQS holds a message back for 15 minutes at most. */
const longestQueueDelaySeconds = 900;

export type Arming =
  | { readonly via: 'queue'; readonly delaySeconds: number }
  | { readonly via: 'schedule'; readonly atMs: number };

/**
 * How a wake is set off: by a delayed message where it is near, else by a schedule that fires ahead of it.
 *
 * @param wakeMs epoch milliseconds
 * @param now epoch milliseconds
 */
export function armingOf(wakeMs: number, now: number): Arming {
  return wakeMs - now <= queueHorizonMs
    ? { via: 'queue', delaySeconds: queueDelaySeconds(wakeMs, now) }
    : { via: 'schedule', atMs: wakeMs - schedulerPrecisionMs };
}

/** SQS delays by whole seconds; the last part of one is waited out by the worker, so that nothing comes late. */
export function queueDelaySeconds(wakeMs: number, now: number): number {
  const seconds = Math.floor((wakeMs - now) / secondMs) - 1;
  return Math.min(longestQueueDelaySeconds, Math.max(0, seconds));
}

/**
 * The name of a wake's schedule: the same for the same wake, so that setting it twice is one schedule and an old one
 * can be removed without having kept its name. At most 64 characters of `[0-9a-zA-Z-_.]`.
 */
export function scheduleName({ postId, accountId, wakeNumber }: PublishMessage): string {
  return `${postId.replaceAll('-', '')}-${sha256(accountId).slice(0, 16)}-${wakeNumber}`;
}
