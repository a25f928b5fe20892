import type { Schedules } from '../../../lib/aws/schedules.ts';
import { secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { InjectedError } from '../world/faults.ts';
import { currentProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

/**
 * EventBridge Scheduler. A one-off schedule fires within 60 s after its time, sometimes twice, and is then deleted.
 * During an outage, no schedule fires and none can be created; schedules that were due fire after it.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 *
 * @param fire sends the schedule's message to the queue that it names
 */
export function createSchedules(world: World, fire: (body: string, queueUrl: string) => void): Schedules {
  const { random, clockwork } = world;
  const schedules = new Map<string, object>();

  function mayFail(): void {
    if (world.outageOf('scheduler')) throw new InjectedError('Scheduler does not answer');
    if (world.happens('scheduleFails')) throw new InjectedError('Scheduler refused');
  }

  function set(name: string, body: string, atMs: number, queueUrl: string): void {
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
      fire(body, queueUrl);
      if (world.happens('scheduleTwice'))
        clockwork.after(random.between(0, 60 * secondMs), () => fire(body, queueUrl));
    };
    clockwork.at(Math.floor(atMs / secondMs) * secondMs + random.between(0, 60 * secondMs), fireWhenUp);
  }

  return {
    create: (name, message, atMs, queueUrl) =>
      world.call(currentProcess(), `creates a schedule for ${toTimestamp(atMs)}`, () => {
        mayFail();
        if (!schedules.has(name)) set(name, JSON.stringify(message), atMs, queueUrl);
        if (world.happens('scheduleReplyLost')) throw new InjectedError("Scheduler's response was lost");
      }),
    remove: (name) =>
      world.call(currentProcess(), 'deletes a schedule', () => {
        mayFail();
        schedules.delete(name);
        if (world.happens('scheduleReplyLost')) throw new InjectedError("Scheduler's response was lost");
      }),
  };
}
