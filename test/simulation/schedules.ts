import { secondMs } from '../../lib/kernel/clock.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { InjectedError } from './faults.ts';
import type { Process, World } from './world.ts';

/**
 * EventBridge Scheduler: a one-off schedule fires within 60 s of its second, sometimes twice, and is removed then. During
 * an outage nothing fires and nothing can be set; what was due then fires after it.
 */
export function createSchedules(world: World, fire: (message: PublishMessage) => void) {
  const { random, clockwork } = world;
  const standing = new Map<string, object>();

  function answer(): void {
    if (world.outageOf('scheduler')) throw new InjectedError('Scheduler does not answer');
    if (world.happens('scheduleFails')) throw new InjectedError('Scheduler refused');
  }

  function set(name: string, message: PublishMessage, atMs: number): void {
    const schedule = {};
    standing.set(name, schedule);
    const begin = () => {
      if (standing.get(name) !== schedule) return;
      const outage = world.outageOf('scheduler') ?? world.outageOf('queue');
      if (outage) {
        clockwork.at(outage.untilMs + random.between(0, 60 * secondMs), begin);
        return;
      }
      standing.delete(name);
      fire(message);
      if (world.happens('scheduleTwice'))
        clockwork.after(random.between(0, 60 * secondMs), () => fire(message));
    };
    clockwork.at(Math.floor(atMs / secondMs) * secondMs + random.between(0, 60 * secondMs), begin);
  }

  return {
    schedule: (process: Process, message: PublishMessage, atMs: number): Promise<void> =>
      world.call(process, 'create a schedule', () => {
        answer();
        const name = scheduleName(message);
        if (!standing.has(name)) set(name, message, atMs);
        if (world.happens('scheduleReplyLost')) throw new InjectedError("Scheduler's reply was lost");
      }),
    unschedule: (process: Process, message: PublishMessage): Promise<void> =>
      world.call(process, 'delete a schedule', () => {
        answer();
        standing.delete(scheduleName(message));
        if (world.happens('scheduleReplyLost')) throw new InjectedError("Scheduler's reply was lost");
      }),
  };
}
