import { dayMs, minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import type { Change } from './committed.ts';
import type { World } from './world.ts';

export interface StreamRecord {
  readonly change: Change;
  readonly atMs: number;
}

/** How many batches Lambda works in parallel (`parallelizationFactor`). All changes of one item are in the same lane. */
const laneCount = 4;

/** Stream records expire after a day. */
const keptMs = dayMs;

const maxBatchRecords = 100;

/**
 * The table's stream with a Lambda consumer. It delivers every change at least once, and the changes of one item in order.
 * A failed batch comes again from its first failed record, and blocks the records behind it.
 *
 * @param relay works records in order; returns how many of them, from the first on, are done
 */
export function createStream(world: World, relay: (records: readonly StreamRecord[]) => Promise<number>) {
  const { random, clockwork } = world;
  const lanes = Array.from({ length: laneCount }, () => ({ records: [] as StreamRecord[], isBusy: false }));
  type Lane = (typeof lanes)[number];

  function append(change: Change): void {
    const { postId, accountId } = change.after ?? change.before ?? {};
    const lane = lanes[(lastDigits(postId) + lastDigits(accountId)) % laneCount];
    if (!lane) throw new Error(`${postId} and ${accountId} are not ids`);
    lane.records.push({ change, atMs: world.now() });
    if (!lane.isBusy) read(lane, usualDelayMs());
  }

  const usualDelayMs = () =>
    world.happens('streamLate') ? random.between(0, 5 * minuteMs) : random.between(150, 500);

  function read(lane: Lane, delayMs: number): void {
    lane.isBusy = true;
    clockwork.after(delayMs, () => {
      const outage = world.outageOf('stream');
      if (outage) read(lane, outage.untilMs - world.now() + random.between(0, 30 * secondMs));
      else void work(lane);
    });
  }

  async function work(lane: Lane): Promise<void> {
    const { records } = lane;
    while (records[0] && world.now() - records[0].atMs > keptMs) {
      world.log('stream: a change has expired');
      records.shift();
    }
    const batch = records.slice(0, random.integer(1, maxBatchRecords));
    const done = batch.length === 0 ? 0 : await relay(batch);
    const isRedelivered = world.happens('streamTwice');
    if (!isRedelivered) records.splice(0, done);
    if (records.length === 0) lane.isBusy = false;
    else read(lane, done === batch.length ? usualDelayMs() : random.between(secondMs, 30 * secondMs));
  }

  return { append };
}

const lastDigits = (id: unknown): number => Number.parseInt(String(id).slice(-4), 16);
