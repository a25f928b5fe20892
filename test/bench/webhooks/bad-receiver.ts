import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { queryDeliveries } from '../../../lib/webhooks/deliveries/lists.ts';
import { retryGapsMs } from '../../../lib/webhooks/deliveries/retry-schedule.ts';
import type { Delivery } from '../../../lib/webhooks/schemas.ts';
import { type BenchTable, countBounds, verdict } from '../bench.ts';
import { commitPosts, type Endpoint } from './events.ts';
import type { Measurement } from './measurement.ts';

/** The time limit for all deliveries to end, in real time. */
const patienceMs = 10 * minuteMs;
/** A due delivery that stays as it is for longer than an attempt takes is not being attempted. */
const attemptedWithinMs = 12 * secondMs;
/**
 * The longest wait with a message in the queue. Beyond it, the sweep sends one when it finds a delivery that is a minute late.
 */
const longestQueuedMs = 15 * minuteMs;

/**
 * Sends events to a receiver that fails, hangs and restarts twice. Then moves the clock from retry to retry until no
 * delivery is pending.
 */
export async function measureBadReceiver(
  { cloud, receiver, size, progress }: Measurement,
  table: Table,
  endpoint: Endpoint,
): Promise<BenchTable> {
  const { failShare, hangShare, upMs, downMs } = size.badReceiver;
  const name = `a receiver that fails ${100 * failShare} %, hangs ${100 * hangShare} % and restarts twice`;
  const count = Math.ceil(size.eventCount / 20);
  progress(`${count} events to ${name}`);
  await receiver.behave({ failShare, hangShare });
  const committed = await commitPosts(table, [endpoint.workspaceId], count);
  await delay(upMs / 3);
  await receiver.restart(downMs);
  await delay(upMs);
  await receiver.restart(downMs);
  const { pending, mostLateMs } = await untilNonePending({ cloud, size, progress }, table, endpoint);
  const { arrivals } = await receiver.take();
  await receiver.behave({ failShare: 0, hangShare: 0 });
  const arrived = new Set(arrivals.map(([deliveryId]) => deliveryId)).size;
  const isComplete = arrived === committed.size;
  const isSoon = mostLateMs <= maxLateMs;
  return {
    title: 'Webhooks: a bad receiver',
    columns: [
      'receiver',
      'events',
      'arrived',
      'duplicates',
      'none lost',
      'latest attempt, s late',
      'bound',
      'met',
    ],
    rows: [
      [
        name,
        String(committed.size),
        String(arrived),
        String(arrivals.length - arrived),
        verdict(isComplete),
        (mostLateMs / secondMs).toFixed(0),
        String(maxLateMs / secondMs),
        verdict(isSoon),
      ],
    ],
    notes: [
      'The bench moves the clock to each next attempt, and on by a minute if a delivery is due and nothing attempts it: its',
      'message waits for the sweep, or is lost. The latest attempt is measured on that clock.',
      ...pending.map((line) => `Still pending: ${line}`),
    ],
    bounds: countBounds([isComplete, isSoon]),
  };
}

/** Two sweeps and the bench's own steps of the clock. */
const maxLateMs = 4 * minuteMs;

/** Moves the clock on until no delivery is pending. */
async function untilNonePending(
  { cloud, size, progress }: Pick<Measurement, 'cloud' | 'size' | 'progress'>,
  table: Table,
  endpoint: Endpoint,
): Promise<{ readonly pending: readonly string[]; readonly mostLateMs: number }> {
  const deadline = Date.now() + patienceMs;
  let told = Date.now();
  let mostLateMs = 0;
  let due = '';
  let dueSince = Date.now();
  for (;;) {
    const now = cloud.clock.now();
    const pending = await pendingOf(table, endpoint, now);
    const byTime = pending.toSorted((one, other) => dueMs(one) - dueMs(other));
    const [next] = byTime;
    if (next === undefined) return { pending: [], mostLateMs };
    if (Date.now() > deadline) return { pending: byTime.map((each) => inWords(each, now)), mostLateMs };
    if (Date.now() - told > 10 * secondMs) {
      progress(`${pending.length} have not arrived yet: ${inWords(next, now)}`);
      told = Date.now();
    }
    mostLateMs = Math.max(mostLateMs, now - dueMs(next));
    const nowDue = byTime
      .filter((each) => dueMs(each) <= now)
      .map(({ id, attemptNumber }) => `${id} ${attemptNumber}`);
    if (nowDue.join() !== due) [due, dueSince] = [nowDue.join(), Date.now()];
    const isLeft = Date.now() - dueSince > (isLeftToSweep(next) ? size.sweptWithinMs : attemptedWithinMs);
    if (dueMs(next) > now) cloud.clock.advance(dueMs(next) - now + secondMs);
    else if (isLeft) {
      cloud.clock.advance(minuteMs + secondMs);
      dueSince = Date.now();
    }
    await delay(size.lookEveryMs);
  }
}

const dueMs = ({ nextAttemptAt }: Delivery): number => Date.parse(nextAttemptAt ?? '');

const isLeftToSweep = ({ failures }: Delivery): boolean => (retryGapsMs[failures - 1] ?? 0) > longestQueuedMs;

function inWords(delivery: Delivery, now: number): string {
  const lateSeconds = Math.round((now - dueMs(delivery)) / secondMs);
  return `attempt ${delivery.attemptNumber} of ${delivery.id} is ${lateSeconds} s late`;
}

async function pendingOf(table: Table, endpoint: Endpoint, now: number): Promise<readonly Delivery[]> {
  const pending: Delivery[] = [];
  let afterDeliveryId: string | undefined;
  do {
    const page = await queryDeliveries(table, endpoint, {
      status: 'pending',
      limit: 1_000,
      afterDeliveryId,
      now,
    });
    pending.push(...page.deliveries);
    afterDeliveryId = page.lastDeliveryId;
  } while (afterDeliveryId !== undefined);
  return pending;
}
