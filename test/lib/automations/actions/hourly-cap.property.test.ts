import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import {
  type PlatformAccount,
  reserveMessage,
} from '../../../../lib/automations/actions/private-reply-cap.ts';
import { hourMs, minuteMs, secondMs } from '../../../../lib/kernel/clock.ts';
import { getItem } from '../../../../lib/table/items.ts';
import { privateReplyCapKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const maxPerHour = 6;
/** The longest that a place can be taken: the two minutes in which it was taken, an hour, and a minute in reserve. */
const longestTakenMs = hourMs + 3 * minuteMs;

/** Workers that ask at the same time, with clocks that differ, for automations of several workspaces. */
const burst = fc.record({
  afterSeconds: fc.oneof(fc.nat(300), fc.nat(3_700), fc.constant(0)),
  workers: fc.array(fc.record({ aheadMs: fc.integer({ min: -secondMs, max: secondMs }) }), {
    minLength: 1,
    maxLength: 12,
  }),
});

let accounts = 0;

it('never more than the cap are granted in any 60 minutes, none is refused without need, and the total is exact', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(burst, { minLength: 1, maxLength: 12 }),
      fc.nat(minuteMs),
      async (bursts, offset) => {
        const account: PlatformAccount = { platform: 'instagram', platformAccountId: `${++accounts}` };
        const grantedMs: number[] = [];
        let nowMs = startMs + offset;
        for (const { afterSeconds, workers } of bursts) {
          nowMs += afterSeconds * secondMs;
          const asked = workers.map(({ aheadMs }, index) =>
            reserveMessage(table, account, {
              now: nowMs + aheadMs,
              maxPerHour,
              chance: index / workers.length,
              automationId: `workspace ${index % 3}`,
            }),
          );
          const reservations = await Promise.all(asked);
          const granted = reservations.filter(({ state }) => state === 'granted').length;
          grantedMs.push(...Array.from({ length: granted }, () => nowMs));
          const since = (ms: number) => grantedMs.filter((at) => at > nowMs - ms).length;
          expect(since(hourMs)).toBeLessThanOrEqual(maxPerHour);
          if (granted < workers.length)
            expect(since(longestTakenMs + 2 * secondMs)).toBeGreaterThanOrEqual(maxPerHour);
          for (const reservation of reservations)
            if (reservation.state === 'full') {
              expect(reservation.wakeMs).toBeGreaterThan(nowMs - secondMs);
              expect(reservation.wakeMs).toBeLessThanOrEqual(
                nowMs + longestTakenMs + 2 * minuteMs + secondMs,
              );
            }
        }
        const item = (await getItem(table, privateReplyCapKey('instagram', account.platformAccountId))) ?? {};
        const counts = Object.entries(item).filter(([name]) => /^b\d+$/.test(name));
        expect(item['total']).toBe(counts.reduce((sum, [, count]) => sum + Number(count), 0));
      },
    ),
    { numRuns: 40 },
  );
});
