import type { Target } from '../../../lib/targets/schemas.ts';

/** Phases of a worker at the time of the kill, in the order of a post's life. */
export const phases = [
  'preparing',
  'waiting for the due time',
  'last call, no effect',
  'last call, effect after the kill',
  'last call, effect before the response',
  'last call, response not committed',
  'finishing',
] as const;
export type Phase = (typeof phases)[number];

/** `last call`: only the end of the run shows whether the call took effect. */
export type PhaseAtKill = Phase | 'last call';

/**
 * Effect of the last call: whether the post was live when its worker stopped, and when the process was killed, which may be
 * later.
 */
export interface Effect {
  readonly isLiveAtStop: boolean;
  readonly isLiveAtKill: boolean;
}

/**
 * Returns what a worker was doing when it was killed; `undefined` if no worker held the target.
 *
 * @param target as it was stored at that time
 * @param now epoch milliseconds
 */
export function phaseAtKill(target: Target, effect: Effect, now: number): PhaseAtKill | undefined {
  const { leaseUntil, status, scheduledFor, publishedAt, timeline } = target;
  if (leaseUntil === undefined || Date.parse(leaseUntil) <= now) return undefined;
  if (publishedAt !== undefined) return 'finishing';
  if (status === 'publishing') {
    if (effect.isLiveAtStop) return 'last call, effect before the response';
    return effect.isLiveAtKill ? 'last call, response not committed' : 'last call';
  }
  if (status !== 'scheduled') return undefined;
  const isPrepared = timeline.some(({ event }) => event === 'prepared');
  return isPrepared && Date.parse(scheduledFor ?? '') > now ? 'waiting for the due time' : 'preparing';
}

/** Returns the kind of last call, once it is known whether the interrupted call itself made the post live. */
export function settledPhase(phase: PhaseAtKill, tookEffect: boolean): Phase {
  if (phase !== 'last call') return phase;
  return tookEffect ? 'last call, effect after the kill' : 'last call, no effect';
}

export type End = 'live once' | 'live twice' | 'unknown' | 'failed' | 'open';

/** Returns the outcome of a target. @param liveCount the number of its copies at the platform */
export function endOf({ status, error = '' }: Target, liveCount: number): End {
  if (liveCount > 1) return 'live twice';
  if (status === 'published' || status === 'partial') return liveCount === 1 ? 'live once' : 'failed';
  if (status !== 'failed') return 'open';
  return error.startsWith('outcome unknown') ? 'unknown' : 'failed';
}

/** Returns the time at which the interrupted work was done, in epoch milliseconds; NaN if it was not. */
export function doneMs({ timeline }: Target, phase: Phase): number {
  const wanted = phase === 'finishing' ? ['finished'] : ['published', 'failed'];
  const entry = timeline.findLast(({ event }) => wanted.includes(event));
  return Date.parse(entry?.at ?? '');
}
