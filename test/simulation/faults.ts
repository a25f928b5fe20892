import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import type { Random } from './random.ts';

/** The faults, each with its highest probability per occasion. */
export const faultScales = {
  /** The process crashes before or after an external call. */
  crash: 0.01,
  /** A call or its answer takes seconds. */
  slowCall: 0.2,
  /** The process pauses for two minutes, as if its machine was paused, and then continues. */
  standstill: 0.02,
  tableThrottled: 0.1,
  tableReplyLost: 0.08,
  transactionConflict: 0.2,
  keysHandedBack: 0.2,
  indexLags: 0.4,
  sendFails: 0.1,
  sendReplyLost: 0.1,
  messageTwice: 0.3,
  messageLate: 0.2,
  deletionLost: 0.1,
  scheduleFails: 0.2,
  scheduleReplyLost: 0.2,
  scheduleTwice: 0.3,
  streamLate: 0.2,
  streamTwice: 0.2,
  rateLimited: 0.15,
  platformReplyLost: 0.2,
  platformFails: 0.15,
  rejected: 0.04,
  restricted: 0.02,
  tokenRefused: 0.04,
  refreshRefused: 0.3,
  containerExpires: 0.1,
} as const;

export type FaultName = keyof typeof faultScales;
export type Faults = Readonly<Partial<Record<FaultName, number>>>;

export const noFaults: Faults = {};

/**
 * Draws the faults of a seed: only some kinds, some of them rare and some frequent ("swarm testing", Groce et al. 2012).
 * One seed in twelve has none.
 */
export function drawFaults(random: Random): Faults {
  if (random.isTrue(1 / 12)) return noFaults;
  const share = random.between(0.1, 0.6);
  return Object.fromEntries(
    Object.entries(faultScales).flatMap(([name, scale]) =>
      random.isTrue(share) ? [[name, scale * random.between(0.1, 1)]] : [],
    ),
  );
}

/** A time in which a part of the world does not answer. */
export interface Outage {
  readonly of: 'table' | 'queue' | 'scheduler' | 'stream';
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Draws the outages of a seed: one seed in eight has a short outage of one part. */
export function drawOutages(random: Random, fromMs: number, untilMs: number): Outage[] {
  if (!random.isTrue(1 / 8)) return [];
  const of = random.pick(['table', 'queue', 'scheduler', 'stream'] as const);
  const beginMs = random.between(fromMs, untilMs);
  return [{ of, fromMs: beginMs, untilMs: beginMs + random.between(10 * secondMs, 20 * minuteMs) }];
}

/** A failure that the simulation caused. Any other error from the engine is a bug. */
export class InjectedError extends Error {
  override readonly name = 'InjectedError';
}

const injected = new WeakSet<object>();

/** Marks an error of another class as caused by the simulation. */
export function inject<Failure extends Error>(error: Failure): Failure {
  injected.add(error);
  return error;
}

export function isInjected(error: unknown): boolean {
  return error instanceof InjectedError || (error instanceof Error && injected.has(error));
}
