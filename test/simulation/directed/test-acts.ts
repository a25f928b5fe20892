import { describe, expect, it } from 'vitest';
import { acts, meetings, runActs } from './acts.ts';

/** Tests that a person may act on a post at any call of its last minute. @param step the distance between the calls */
export function testActs(step: number): void {
  describe.each(Object.entries(meetings))(
    'a person who acts %s an external call of the last minute',
    (_name, meeting) => {
      it.each(acts)(
        '(%s) leaves each destination live once and known, as the answer says',
        { timeout: 600_000 },
        async (act) => {
          const { callCount, failures } = await runActs(act, meeting, { step });
          expect(failures).toEqual([]);
          expect(callCount).toBeGreaterThan(50);
        },
      );
    },
  );
}
