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
 * The repair task for an effect that failed; `undefined` if none is needed: the sweep finds chains by itself, and an outdated
 * schedule is harmless. Pure.
 *
 * @param now epoch milliseconds
 */
export function repairOf(effect: Effect, now: number): Repair | undefined {
  const task = taskOf(effect);
  return task && { task, delayMs: Math.max(0, Math.min(repairDelayMs, latestTaskMs(task) - now)) };
}

function taskOf(effect: Effect): RepairTask | undefined {
  switch (effect.kind) {
    case 'schedule wake':
      return { kind: 'schedule wake', wake: effect.message, wakeAt: toTimestamp(effect.wakeMs) };
    case 'restore overdue keys':
      return { kind: 'schedule wake', wake: messageOf(effect.target) };
    case 'free time':
      return { kind: 'free times', times: [effect.time] };
    case 'settle places':
      return { kind: 'settle places', places: [...effect.places] };
    case 'roll-up':
      return effect;
    case 'unschedule wake':
    case 'run chain':
      return undefined;
  }
}
