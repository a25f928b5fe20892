import { secondMs } from '../../lib/kernel/clock.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { InjectedError } from './faults.ts';
import type { Process, World } from './world.ts';

/**
 * EventBridge Scheduler. A one-off schedule fires within 60 s after its time, sometimes twice, and is then deleted.
 * During an outage, no schedule fires and none can be created; schedules that were due fire after it.
 */
export function createSchedules(world: World, fire: (message: PublishMessage) => void) {
  const { random, clockwork } = world;
  const schedules = new Map<string, object>();

  function mayFail(): void {
    if (world.outageOf('scheduler')) throw new InjectedError('Scheduler does not answer');
    if (world.happens('scheduleFails')) throw new InjectedError('Scheduler refused');
  }

  function set(name: string, message: PublishMessage, atMs: number): void {
    const schedule = {};
    schedules.set(name, schedule);
    const fireWhenUp = () => {
      if (schedules.get(name) !== schedule) return;
      const outage = world.outageOf('scheduler') ?? world.outageOf('queue');
      if (outage) {
        clockwork.at(outage.untilMs + random.between(0, 60 * secondMs), fireWhenUp);
        return;
      }
      schedules.delete(name);
      fire(message);
      if (world.happens('scheduleTwice'))
        clockwork.after(random.between(0, 60 * secondMs), () => fire(message));
    };
    clockwork.at(Math.floor(atMs / secondMs) * secondMs + random.between(0, 60 * secondMs), fireWhenUp);
  }

  return {
    schedule: (process: Process, message: PublishMessage, atMs: number): Promise<void> =>
      world.call(process, 'create a schedule', () => {
        mayFail();
        const name = scheduleName(message);
        if (!schedules.has(name)) set(name, message, atMs);
        if (world.happens('scheduleReplyLost')) throw new InjectedError("Scheduler's reply was lost");
      }),
    unschedule: (process: Process, message: PublishMessage): Promise<void> =>
      world.call(process, 'delete a schedule', () => {
        mayFail();
        schedules.delete(scheduleName(message));
        if (world.happens('scheduleReplyLost')) throw new InjectedError("Scheduler's reply was lost");
      }),
  };
}
