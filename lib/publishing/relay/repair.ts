import { minuteMs, toTimestamp } from '../../kernel/clock.ts';
import { latestTaskMs, type RepairTask } from '../../overdue/repair-tasks.ts';
import { messageOf } from '../message.ts';
import type { Effect } from './effects.ts';

/** The delay after which the sweep carries out an effect that the relay could not. */
const repairDelayMs = minuteMs;

/** A repair task and its delay from now. */
export interface Repair {
  readonly task: RepairTask;
  readonly delayMs: number;
}

/**
 * Returns the repair tasks for an effect that failed. None if the sweep finds the work by itself, as for chains, and for an
 * outdated schedule, which is harmless. Pure.
 *
 * @param now epoch milliseconds
 */
export function repairsOf(effect: Effect, now: number): Repair[] {
  return tasksOf(effect).map((task) => ({
    task,
    delayMs: Math.max(0, Math.min(repairDelayMs, latestTaskMs(task) - now)),
  }));
}

function tasksOf(effect: Effect): RepairTask[] {
  switch (effect.kind) {
    case 'schedule wake':
      return [{ kind: 'schedule wake', wake: effect.message, wakeAt: toTimestamp(effect.wakeMs) }];
    case 'restore overdue keys':
      return [{ kind: 'schedule wake', wake: messageOf(effect.target) }];
    case 'free time':
      return [{ kind: 'free times', times: [effect.time] }];
    case 'settle places':
      return [{ kind: 'settle places', places: [...effect.places] }];
    case 'count punctuality':
      return effect.counts.map((count) => ({ kind: 'count punctuality', count }));
    case 'note numbers':
    case 'discard upload':
    case 'roll-up':
      return [effect];
    // A person who asks again gives it a wake, too.
    case 'resume removal':
    // No comment arrives on a post that is gone.
    case 'stop automation':
    case 'unschedule wake':
    case 'run chain':
    // The regular checks follow.
    case 'check posts':
      return [];
  }
}
