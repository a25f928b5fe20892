import { type Clock, secondMs, toTimestamp } from '../kernel/clock.ts';
import { absent, allOf, anyOf, atMost, type Condition, present } from './condition.ts';
import { updateItem, type WriteOutcome } from './items.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { plus } from './update.ts';

/**
 * The duration of a lease that is not renewed. A living worker renews it, so this limits how long a crash stays unnoticed, not
 * how long the work may take. More than two heartbeats, so that one lost renewal does not end the lease.
 */
export const leaseMs = 14 * secondMs;

/** The interval at which a living worker renews its lease. */
const heartbeatMs = 6 * secondMs;

/** The remaining time of a lease below which its worker has missed a heartbeat and may have crashed. */
export const suspiciousRestMs = leaseMs - heartbeatMs;

/**
 * The error of a worker that has lost its item: another worker holds it, or it was changed or deleted. The worker must stop and
 * write nothing more.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

interface Claim {
  /** Unique to this call; distinguishes our own write, repeated by the SDK, from another worker's. */
  readonly writeId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly untilMs: number;
  /** The condition for claiming the item, in addition to its lease being free. */
  readonly if: Condition;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly add?: Readonly<Record<string, number>>;
}

/**
 * Takes the lease of an item for one worker and increments its fencing token, `attempt`: every later write of that worker
 * is conditional on it, so a worker that has lost its lease can no longer write.
 */
export function claimLease(table: Table, key: Key, claim: Claim): Promise<WriteOutcome> {
  const { writeId, now, untilMs, set, add } = claim;
  return updateItem(
    table,
    key,
    {
      set: { ...set, leaseUntil: toTimestamp(untilMs), attempt: plus(1) },
      ...(add && { add }),
      if: { ...claim.if, leaseUntil: anyOf(absent, atMost(toTimestamp(now))) },
    },
    writeId,
  );
}

interface HeartbeatPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Runs a task repeatedly, the first time after the interval. @returns a function that stops it */
  readonly every: (milliseconds: number, task: () => Promise<void>) => () => void;
}

/**
 * Runs work on a held item, and renews the lease meanwhile. A renewal that fails is not repeated: the fencing token protects the
 * item if another worker takes over. A heartbeat that runs when the work ends is not awaited. It does no harm even if Lambda
 * freezes the process and it goes on much later: the message that it sends finds nothing due, and its renewal finds the lease
 * released.
 *
 * @param attempt the worker's fencing token
 * @param arm sends a message that takes over when the lease ends; called before each renewal, and must not reject
 */
export async function whileHeld<Result>(
  { table, now, every }: HeartbeatPorts,
  key: Key,
  attempt: number,
  arm: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const stop = every(heartbeatMs, async () => {
    await arm();
    if (isOver) return;
    const renewal = {
      set: { leaseUntil: toTimestamp(now() + leaseMs) },
      // A worker that has released the item has no lease to renew. A longer lease is not shortened.
      if: { attempt, leaseUntil: allOf(present, atMost(toTimestamp(now() + leaseMs))) },
    };
    await updateItem(table, key, renewal).catch(() => undefined);
  });
  try {
    return await work();
  } finally {
    isOver = true;
    stop();
  }
}
