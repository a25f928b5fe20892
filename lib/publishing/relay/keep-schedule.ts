import * as z from 'zod';
import { putRepairTask } from '../../overdue/repair-tasks.ts';
import type { Table } from '../../table/table.ts';
import { PublishMessage } from '../message.ts';
import { planWake, scheduleWake, type WakePorts } from '../wake.ts';
import type { Effect } from './effects.ts';
import { repairsOf } from './repair.ts';

/**
 * An effect that needs Scheduler, as the relay passes it on to the function `keep-schedules`. The relay itself never waits for
 * Scheduler: a bulk of distant posts would hold up the changes behind it in the shard.
 */
export const DistantWake = z.object({
  kind: z.enum(['schedule wake', 'unschedule wake']),
  workspaceId: z.uuid(),
  message: PublishMessage,
  /** Epoch milliseconds. */
  wakeMs: z.number(),
  queue: z.enum(['publish', 'upload']),
  /** See `WakeEffect`. */
  aheadMs: z.number(),
});
export type DistantWake = z.infer<typeof DistantWake>;

export interface SchedulePorts extends WakePorts {
  readonly table: Table;
  /** Deletes the message's schedule, if there is one. */
  readonly unschedule: (message: PublishMessage) => Promise<void>;
  /** Tells operators that an effect could not be carried out and is left to the sweep. */
  readonly report: (effect: Effect, error: unknown) => void;
}

/**
 * Creates or deletes the schedule of a distant wake. Idempotent. If Scheduler fails, leaves the wake to the sweep. A deletion that
 * overtakes its creation leaves a schedule behind, whose message names an outdated wake and has no effect.
 *
 * @throws if SQS must deliver the message again
 */
export async function keepSchedule(ports: SchedulePorts, wake: DistantWake): Promise<void> {
  const { kind, message, wakeMs, queue, aheadMs } = wake;
  try {
    if (kind === 'schedule wake') await scheduleWake(ports, message, wakeMs, queue, aheadMs);
    else if (planWake(wakeMs, ports.now()).via === 'schedule') await ports.unschedule(message);
  } catch (error) {
    for (const { task, delayMs } of repairsOf(wake, ports.now()))
      await putRepairTask(ports.table, task, ports.now(), delayMs);
    ports.report(wake, error);
  }
}
