import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** Maximum time from its intent to a last call: 5 seconds, and the time of what some adapters do just before it. */
const latestMs = 30 * secondMs;

/**
 * Checks that last calls are sent soon after their intents: other workers conclude from this when a call has ended. YouTube
 * and TikTok are left out: they first open a file or ask for something, and the process may pause there.
 */
export function createLastCallCheck(world: World) {
  const intentMs = new Map<string, number>();
  const nameOf = ({ name }: Process, platform: Platform) => `${name} ${platform}`;
  return {
    noteIntent: (by: Process, platform: Platform) => intentMs.set(nameOf(by, platform), world.now()),
    /** Called when the call has an outcome. A first comment, which follows, is marked as a last call too. */
    forgetIntent: (by: Process, platform: Platform) => intentMs.delete(nameOf(by, platform)),
    /** Called when a process sends a last call. */
    check(process: Process, platform: Platform): void {
      const sinceMs = intentMs.get(nameOf(process, platform));
      if (sinceMs === undefined || platform === 'youtube' || platform === 'tiktok') return;
      const afterMs = world.now() - sinceMs;
      if (afterMs > latestMs)
        world.violate(`${process.name} made a last call to ${platform} ${afterMs} ms after its intent`);
    },
  };
}
