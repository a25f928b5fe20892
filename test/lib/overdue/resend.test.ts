import { describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { untilTwiceAsLateMs } from '../../../lib/overdue/resend.ts';
import { resendDueDeliveries } from '../../../lib/webhooks/deliveries/resend-due.ts';
import type { WebhookMessage } from '../../../lib/webhooks/schemas.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { storeDelivery } from '../../support/webhooks.ts';
import { Crash } from '../webhooks/fixture.ts';

/** A delivery that is due at minute 0, and sweeps of it. The queue refuses messages while `isRefusing`. */
async function openSweeps() {
  const table = await createTestTable();
  const endpoint = { workspaceId: newId(startMs), id: newId(startMs) };
  await storeDelivery(table, endpoint, { atMs: startMs });
  const queue = { isRefusing: false };
  return {
    queue,
    /** @returns how many messages the queue accepted. @throws if a step fails: a request to the table, or to the queue */
    async sweepAt(minute: number, crash = new Crash(Infinity)): Promise<number> {
      let sent = 0;
      const sendAll = async (messages: readonly WebhookMessage[]) => {
        crash.step();
        if (queue.isRefusing) return new Set(messages);
        sent += messages.length;
        return new Set<WebhookMessage>();
      };
      const report = (_key: object, error: unknown) => {
        if (!crash.isDead) expect.fail(String(error));
      };
      const nowMs = startMs + minute * minuteMs;
      const ports = { table: crash.table(table), now: () => nowMs, sendAll, report };
      await resendDueDeliveries(ports, nowMs + minuteMs).catch((error) => {
        if (!crash.isDead) throw error;
      });
      return sent;
    },
  };
}

/** Returns the minutes from `first` to `last` with a sweep, a little late each, that sends a message. */
async function minutesWithMessages(
  { sweepAt }: Awaited<ReturnType<typeof openSweeps>>,
  first: number,
  last: number,
): Promise<number[]> {
  const minutes: number[] = [];
  for (let minute = first; minute <= last; minute += 1) {
    if ((await sweepAt(minute + 0.01)) > 0) minutes.push(minute);
  }
  return minutes;
}

describe('a sweep', () => {
  it('sends a message that the queue refused again in the next sweep', async () => {
    const sweeps = await openSweeps();
    sweeps.queue.isRefusing = true;
    expect(await sweeps.sweepAt(5)).toBe(0);
    sweeps.queue.isRefusing = false;
    expect(await minutesWithMessages(sweeps, 6, 8)).toEqual([7]);
  });

  it('sends six messages for a delivery that waits for an hour in a queue that is behind, the first within two minutes', async () => {
    const sweeps = await openSweeps();
    expect(await minutesWithMessages(sweeps, 0, 60)).toEqual([1, 3, 7, 15, 31, 48]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7])(
    'that dies at step %i hides no delivery for more than two minutes, however late it is',
    async (step) => {
      const sweeps = await openSweeps();
      const minute = 90;
      const sent = await sweeps.sweepAt(minute, new Crash(step));
      const next = await minutesWithMessages(sweeps, minute + 1, minute + 2);
      expect(sent + next.length).toBeGreaterThan(0);
    },
  );
});

it.each([
  { lateMinutes: 0.5, waits: 0 },
  { lateMinutes: 1, waits: 0 },
  { lateMinutes: 2.5, waits: 90 * secondMs },
  { lateMinutes: 11, waits: 10 * minuteMs },
  { lateMinutes: 600, waits: 15 * minuteMs },
])(
  'leaves an item alone until it is twice as late, at most 15 minutes: $lateMinutes minutes late',
  ({ lateMinutes, waits }) => {
    expect(untilTwiceAsLateMs(lateMinutes * minuteMs, minuteMs)).toBe(waits);
  },
);
