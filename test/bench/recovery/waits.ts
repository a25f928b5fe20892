import { secondMs } from '../../../lib/kernel/clock.ts';
import { leaseMs } from '../../../lib/table/lease.ts';
import type { Target } from '../../../lib/targets/schemas.ts';

/** The causes of a target's wait, in the order in which the table shows it. */
export const waits = [
  'nothing',
  'the queue and the processor',
  'the rest of a lease: its worker was killed before the call',
  'the rest of a second lease',
  'the second message: the first was lost before a worker took it',
  'the sweep',
  'the outcome of its own call: it was found',
  'the outcome of its own call: it had no effect',
  'another try',
] as const;
export type Wait = (typeof waits)[number];

/** The least lateness that counts. */
const lateMs = secondMs;
/** The time from the due time to the earliest message that stands for a lost one: a little less, for a clock of another process. */
const secondMessageMs = leaseMs;

/**
 * Returns what a target waited for longest, from its timeline and its call records. Pure.
 *
 * @param sweptMs the first sweep after the due time, in epoch milliseconds
 */
export function waitOf(target: Target, sweptMs: number): Wait {
  const { status, timeline, calls = [], scheduledFor = '' } = target;
  const dueMs = Date.parse(scheduledFor);
  const lateness = (at = '') => Date.parse(at) - dueMs;
  const [first] = calls;
  const hadNoEffect = calls.length > 1 || first?.outcome === 'absent' || (status === 'failed' && first);
  if (hadNoEffect) return 'the outcome of its own call: it had no effect';
  if (timeline.some(({ event }) => event === 'trying again')) return 'another try';
  const intent = timeline.find(({ event }) => event === 'going live');
  const intentMs = lateness(intent?.at);
  if (!(intentMs <= lateMs)) {
    if (!(intentMs < sweptMs - dueMs)) return 'the sweep';
    return waitBeforeIntent(target, intentMs, intent?.attempt ?? target.attempt);
  }
  const live = timeline.find(({ event }) => event === 'published');
  if (live?.attempt !== intent?.attempt) return 'the outcome of its own call: it was found';
  return lateness(live?.at) <= lateMs ? 'nothing' : 'the queue and the processor';
}

function waitBeforeIntent(target: Target, intentMs: number, attempt: number): Wait {
  const crashes = crashesBefore(target, attempt);
  if (crashes > 1) return 'the rest of a second lease';
  if (crashes === 1) return 'the rest of a lease: its worker was killed before the call';
  return intentMs < secondMessageMs
    ? 'the queue and the processor'
    : 'the second message: the first was lost before a worker took it';
}

/**
 * Counts the takes before one that left no step with a next wake: their workers crashed while they held the target. A new target has
 * the token 1, and its first worker takes 2.
 */
function crashesBefore({ timeline }: Target, attempt: number): number {
  const released = new Set(timeline.flatMap((step) => (step.nextAt === undefined ? [] : [step.attempt])));
  const takes = Array.from({ length: Math.max(0, attempt - 2) }, (_, index) => index + 2);
  return takes.filter((take) => !released.has(take)).length;
}
