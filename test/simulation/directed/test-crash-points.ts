import { describe, expect, it } from 'vitest';
import { crashWorlds, mishapKinds, runCrashPoints } from './crash-points.ts';

/** Tests a mishap at external calls, in every world. @param step 1 for every call; 10 for a sample of every tenth */
export function testCrashPoints({ step }: { readonly step: number }): void {
  describe.each(Object.entries(crashWorlds))('if %s', (_name, world) => {
    it.each(mishapKinds)(
      'a process that %s any external call leaves each target live once or, rarely, of unknown outcome, and one follow-up',
      { timeout: 3_600_000 },
      async (kind) => {
        const { callCount, failures } = await runCrashPoints(world, kind, { step });
        expect(failures).toEqual([]);
        expect(callCount).toBeGreaterThan(200);
      },
    );
  });
}
