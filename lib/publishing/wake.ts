import { type Clock, secondMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { leaseMs } from '../table/lease.ts';
import type { Target } from '../targets/schemas.ts';
import type { PublishMessage, WakeQueue } from './message.ts';
import { waitInPlaceMs } from './time-limits.ts';

/**
 * The most by which EventBridge Scheduler fires late.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
const schedulerPrecisionMs = 60 * secondMs;

/**
 * The least time from a schedule's firing to its wake. In it, a poller takes the message, a cold function starts, and sends the
 * message back to the queue for the rest.
 */
const schedulerMarginMs = 30 * secondMs;

/** The time by which a schedule is set ahead of its wake. */
const scheduleAheadMs = schedulerPrecisionMs + schedulerMarginMs;

/** A wake within this time goes straight to the queue: its schedule might be due before it is created. */
const queueHorizonMs = 2 * scheduleAheadMs;

/** SQS delays a message by 15 minutes at most. */
const longestQueueDelaySeconds = 900;

/** The way to schedule a wake. */
export type WakePlan =
  | { readonly via: 'queue'; readonly delaySeconds: number }
  | { readonly via: 'schedule'; readonly atMs: number };

/**
 * Decides how to schedule a wake: with a delayed message if it is near, otherwise with a schedule that fires ahead of it.
 *
 * @param wakeMs epoch milliseconds
 * @param now epoch milliseconds
 * @param aheadMs see {@link queueDelaySeconds}
 */
export function planWake(wakeMs: number, now: number, aheadMs = leadMs): WakePlan {
  return wakeMs - now <= queueHorizonMs
    ? { via: 'queue', delaySeconds: queueDelaySeconds(wakeMs, now, aheadMs) }
    : { via: 'schedule', atMs: wakeMs - scheduleAheadMs };
}

/**
 * The latest wakes that a worker takes, in epoch milliseconds: what is due within moments, and a preparation, which may start as
 * early as its schedule fires.
 */
export const nearestWakes = (now: number) => ({
  nearMs: now + waitInPlaceMs,
  preparableMs: now + scheduleAheadMs + waitInPlaceMs,
});

/** The destinations of wakes. */
export interface WakePorts {
  readonly now: Clock;
  readonly enqueue: (message: PublishMessage, delaySeconds: number, queue: WakeQueue) => Promise<void>;
  /** Creates a one-off schedule for the message. Keeps an existing one as it is. `atMs` is in epoch milliseconds. */
  readonly schedule: (message: PublishMessage, atMs: number, queue: WakeQueue) => Promise<void>;
}

/**
 * Schedules the wake of a message. Idempotent.
 *
 * @param wakeMs epoch milliseconds
 * @param aheadMs see {@link queueDelaySeconds}
 */
export function scheduleWake(
  ports: WakePorts,
  message: PublishMessage,
  wakeMs: number,
  queue: WakeQueue,
  aheadMs = leadMs,
): Promise<void> {
  const plan = planWake(wakeMs, ports.now(), aheadMs);
  return plan.via === 'queue'
    ? enqueueWake(ports, message, wakeMs, queue, aheadMs)
    : ports.schedule(message, plan.atMs, queue);
}

/** Sends the messages of a near wake. @param aheadMs see {@link queueDelaySeconds} */
export async function enqueueWake(
  ports: Pick<WakePorts, 'now' | 'enqueue'>,
  message: PublishMessage,
  wakeMs: number,
  queue: WakeQueue,
  aheadMs: number,
): Promise<void> {
  const messages = wakeMessages(message, wakeMs, ports.now(), aheadMs);
  await Promise.all(messages.map((each) => ports.enqueue(each.message, each.delaySeconds, queue)));
}

/** The time from a wake to its check. By then, the lease of a worker that got the message in time and crashed has ended. */
const checkAfterMs = leaseMs + secondMs;

/**
 * Returns the messages of a near wake: the one that brings it to a worker and, if the target must be punctual, a check. SQS does not
 * deliver a message again before half an hour has passed, so without the check, the targets of a process that is killed before it
 * has taken them would wait for the sweep. The check stands for the first takeover message, too.
 *
 * @param now epoch milliseconds
 * @param aheadMs see {@link queueDelaySeconds}; negative if the target need not be punctual
 */
export function wakeMessages(
  message: PublishMessage,
  wakeMs: number,
  now: number,
  aheadMs: number,
): readonly { readonly message: PublishMessage; readonly delaySeconds: number }[] {
  const delaySeconds = queueDelaySeconds(wakeMs, now, aheadMs);
  const checkSeconds = Math.ceil((Math.max(wakeMs, now) + checkAfterMs - now) / secondMs);
  if (aheadMs < 0 || checkSeconds > longestQueueDelaySeconds) return [{ message, delaySeconds }];
  const checkAt = toTimestamp(now + checkSeconds * secondMs);
  return [
    { message: { ...message, checkAt }, delaySeconds },
    { message: { ...message, checkAt: undefined }, delaySeconds: checkSeconds },
  ];
}

/** The least time between a message's arrival and its wake: the function starts and reads what it needs. */
const leadMs = secondMs;

/** The same for a message that a worker sends back: an environment has started by then. */
export const warmLeadMs = 0.5 * secondMs;

/** A lead with which a message arrives up to a second after its wake, so that no worker waits. */
const noLeadMs = 1 - secondMs;

/**
 * Returns the least time between the arrival of a target's message and its wake, in milliseconds. Only what goes live must be
 * punctual: a look at what a platform processes, or another try, may be up to a second late.
 */
export const wakeLeadMs = ({ status, wakeAt, scheduledFor }: Target): number =>
  status === 'scheduled' && wakeAt === scheduledFor ? leadMs : noLeadMs;

/**
 * Returns the delay of a message in the queue. Rounded down, because SQS delays by whole seconds: the message arrives up to a second
 * earlier than its lead, and the worker waits out the rest.
 *
 * @param wakeMs epoch milliseconds
 * @param now epoch milliseconds
 * @param aheadMs the least time between the message's arrival and its wake
 */
export function queueDelaySeconds(wakeMs: number, now: number, aheadMs = leadMs): number {
  const seconds = Math.floor((wakeMs - now - aheadMs) / secondMs);
  return Math.min(longestQueueDelaySeconds, Math.max(0, seconds));
}

/**
 * The name of a message's schedule. It is derived from the wake, so scheduling twice makes one schedule, and nobody has to
 * store the name to delete it. At most 64 characters of `[0-9a-zA-Z-_.]`.
 */
export function scheduleName({ postId, accountId, wakeNumber }: PublishMessage): string {
  return `${postId.replaceAll('-', '')}-${sha256(accountId).slice(0, 16)}-${wakeNumber}`;
}
