import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { Change } from '../cloud/committed.ts';
import type { World } from '../world/world.ts';

/** How late a target may go live if nothing goes wrong and it was scheduled before its preparation had to begin. */
const calmMs = 1_500;
/** How long after the last fault every due target must be live. */
const recoveryMs = 90 * secondMs;
/** Allows for the stream's delay between the commit and the message. */
const streamDelayMs = 2 * secondMs;
/** How long a proof of absence may take, after which the call is made again: the longest of all platforms. */
const absenceMs = 10 * minuteMs;

/** A target that has failed this often, which takes an hour, is tried again after a quarter of an hour at most. */
const quickFailures = 80;
const slowRetryMs = 15 * minuteMs;

/** Checks that targets go live on time: to the second in a calm run, and soon after the last fault in any other. */
export function createLatenessCheck(world: World) {
  /** When somebody last asked for the target, or changed it. */
  const askedMs = new Map<string, number>();
  const plannedAhead = new Set<string>();

  return {
    note({ key, after, by }: Change): void {
      if (by.name.startsWith('api')) askedMs.set(key, world.now());
      if (by.name.startsWith('run-chain')) askedMs.set(key, world.now());
      if (by.name.startsWith('publish-target') || !after?.['wakeAt']) return;
      const isAhead = Date.parse(String(after['wakeAt'])) > world.now() + streamDelayMs;
      if (isAhead) plannedAhead.add(key);
      else plannedAhead.delete(key);
    },
    /** @param liveMs when the call arrived at the platform that made the target live, perhaps after processing */
    checkLive(name: string, { scheduledFor, platform, failures, calls = [] }: Target, liveMs: number): void {
      const dueMs = Math.max(Date.parse(scheduledFor ?? ''), askedMs.get(name) ?? 0);
      if (world.isCalm) {
        if (plannedAhead.has(name) && liveMs - dueMs > calmMs)
          world.violate(`${name} went live ${liveMs - dueMs} ms late, but nothing went wrong`);
        return;
      }
      const latestMs =
        Math.max(dueMs, world.lastTroubleMs(), world.waitUntilMs(platform)) +
        recoveryMs +
        (failures > quickFailures ? slowRetryMs : 0) +
        (calls.length > 1 ? absenceMs : 0);
      if (liveMs > latestMs)
        world.violate(
          `${name} went live ${liveMs - latestMs} ms later than ${recoveryMs / secondMs} s after the last fault`,
        );
    },
  };
}
