import { beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { messageOf, type PublishMessage } from '../../../lib/publishing/message.ts';
import { keepSchedule } from '../../../lib/publishing/relay/keep-schedule.ts';
import { type RelayPorts, relayChanges, toRelay } from '../../../lib/publishing/relay/relay.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { batchPut } from '../../../lib/table/batch-write.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { aTarget, startMs, storePost } from '../../support/builders.ts';
import { sweepPorts, takingAll } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { turns } from '../../support/turns.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const down = async () => {
  throw new Error('Scheduler does not answer');
};

/** Sweeps every minute. @returns when each message arrives at the queue, in seconds from the wake of the targets */
/** @returns the arrivals of the first messages, in seconds after the wake; not those of their checks */
async function sweepUntil(wakeMs: number, fromMs: number, targetCount: number): Promise<number[]> {
  const arrivals: number[] = [];
  for (let now = fromMs; now < wakeMs + 5 * minuteMs && arrivals.length < targetCount; now += minuteMs) {
    const messages: PublishMessage[] = [];
    const delays: number[] = [];
    const ports = {
      ...sweepPorts(table, () => now),
      schedule: down,
      enqueue: async ({ checkAt }: PublishMessage, delaySeconds: number) => {
        if (checkAt !== undefined) arrivals.push((now - wakeMs) / secondMs + delaySeconds);
      },
      enqueueAll: takingAll(messages, delays),
    };
    await sweepOverdue(ports, Number.POSITIVE_INFINITY);
    arrivals.push(...delays.map((delaySeconds) => (now - wakeMs) / secondMs + delaySeconds));
  }
  return arrivals;
}

async function store(aheadMs: number, count = 3): Promise<{ targets: Target[]; wakeMs: number }> {
  const wakeMs = startMs + aheadMs;
  const wakeAt = toTimestamp(wakeMs);
  const accounts = Array.from({ length: count }, () => ({
    accountId: newId(startMs),
    wakeAt,
    scheduledFor: wakeAt,
  }));
  const { targets } = await storePost(table, newId(startMs), accounts);
  return { targets, wakeMs };
}

const relayPorts = (): RelayPorts => ({
  table,
  now: () => startMs,
  enqueue: async () => {},
  stopAutomation: async () => {},
  enqueueChain: async () => {},
  enqueueDistant: (wake) => keepSchedule({ ...relayPorts(), schedule: down, unschedule: down }, wake),
  report: () => {},
});

describe('while Scheduler is down, a distant wake', () => {
  it.each([4, 5, 7, 20, 63, 200])(
    '%i minutes ahead reaches the queue a moment before its time',
    async (minutes) => {
      const { targets, wakeMs } = await store(minutes * minuteMs);
      await relayChanges(
        targets.map((after) => toRelay({ before: undefined, after, atMs: startMs }, {})),
        relayPorts(),
      );
      const arrivals = await sweepUntil(wakeMs, startMs + 7 * secondMs, 3);
      expect(arrivals).toEqual([arrivals[0], arrivals[0], arrivals[0]]);
      expect(arrivals[0]).toBeLessThanOrEqual(0);
      expect(arrivals[0]).toBeGreaterThanOrEqual(-3);
    },
  );

  it.each([0, 10, 20, 30, 40, 50, 59])(
    'whose repair task is lost too, or whose schedule never fires, reaches it within 45 s (sweep at second %i)',
    async (second) => {
      const { wakeMs } = await store(hourMs);
      const arrivals = await sweepUntil(wakeMs, startMs + 55 * minuteMs + second * secondMs, 3);
      expect(arrivals).toHaveLength(3);
      for (const arrival of arrivals) expect(arrival).toBeLessThanOrEqual(45);
    },
  );
});

describe('a sweep', () => {
  it.each([
    [-3, 2],
    [0, 5],
    [9, 14],
    [14, 19],
  ])(
    'that finds a target due in %i seconds sends a message that arrives 5 s after the wake',
    async (seconds, delaySeconds) => {
      await store(seconds * secondMs);
      const delays: number[] = [];
      const ports = {
        ...sweepPorts(table, () => startMs),
        enqueueAll: takingAll<PublishMessage>([], delays),
      };
      await sweepOverdue(ports, Number.POSITIVE_INFINITY);
      expect(delays).toEqual([delaySeconds, delaySeconds, delaySeconds]);
    },
  );

  const due = toTimestamp(startMs + 10 * secondMs);

  async function storeDue({ dueAt, ...changes }: Partial<Target>): Promise<void> {
    const { targets } = await storePost(table, newId(startMs), [
      { wakeAt: due, scheduledFor: due, ...changes },
    ]);
    for (const { workspaceId, postId, accountId } of dueAt === undefined ? [] : targets)
      await updateItem(table, targetKey(workspaceId, postId, accountId), {
        set: { dueAt },
        if: unconditionally,
      });
  }

  it.each([
    ['is not prepared', {}],
    ['is prepared', { preparation: { containerId: '1' } }],
    ['has failed before', { failures: 1, preparation: { containerId: '1' } }],
    [
      'an earlier release has left at an earlier place in the index',
      { dueAt: toTimestamp(startMs - 100 * secondMs) },
    ],
  ])('sends the message of a target that is due to go live and %s', async (_what, changes) => {
    await storeDue(changes);
    const delays: number[] = [];
    const ports = { ...sweepPorts(table, () => startMs), enqueueAll: takingAll<PublishMessage>([], delays) };
    await sweepOverdue(ports, Number.POSITIVE_INFINITY);
    expect(delays).toEqual([15]);
  });

  const later = toTimestamp(startMs + hourMs);

  it.each([
    ['a worker holds', { leaseUntil: later }],
    ['is tried again after it has failed', { failures: 3, scheduledFor: toTimestamp(startMs - hourMs) }],
    [
      'is prepared, and has another look at its platform before it is due',
      { preparation: { containerId: '1' }, scheduledFor: later },
    ],
    ['is due in 16 seconds', { wakeAt: toTimestamp(startMs + 16 * secondMs) }],
    [
      'is due in 16 seconds, and was left at an earlier place in the index',
      { wakeAt: toTimestamp(startMs + 16 * secondMs), dueAt: toTimestamp(startMs - 100 * secondMs) },
    ],
  ])('sends nothing ahead of its time for a target that %s', async (_what, changes) => {
    await storeDue(changes);
    const messages: PublishMessage[] = [];
    const ports = { ...sweepPorts(table, () => startMs), enqueueAll: takingAll(messages) };
    await sweepOverdue(ports, Number.POSITIVE_INFINITY);
    expect(messages).toEqual([]);
  });
});

describe('what a sweep sends ahead of its time', () => {
  const soon = {
    wakeAt: toTimestamp(startMs + 10 * secondMs),
    scheduledFor: toTimestamp(startMs + 10 * secondMs),
  };

  async function sentAhead(): Promise<{ messages: PublishMessage[]; reports: string[] }> {
    const messages: PublishMessage[] = [];
    const reports: string[] = [];
    await sweepOverdue(
      {
        ...sweepPorts(table, () => startMs),
        enqueueAll: async (...sent) => {
          // Long enough for the next page to be read.
          await turns();
          return takingAll(messages)(...sent);
        },
        report: (message) => void reports.push(message),
      },
      Number.POSITIVE_INFINITY,
    );
    return { messages: messages, reports };
  }

  it('goes to the queue of each target, also if only some of a post send files', async () => {
    const stored = await Promise.all(
      Array.from({ length: 8 }, () =>
        storePost(
          table,
          newId(startMs),
          [{}, { sendsFile: true }].map((own) => ({ ...soon, accountId: newId(startMs), ...own })),
        ),
      ),
    );
    const targets = stored.flatMap((each) => each.targets);
    const { messages } = await sentAhead();
    const queues = (of: readonly { accountId: string; queue?: string | undefined }[]) =>
      of.map(({ accountId, queue }) => `${accountId} ${queue}`).toSorted();
    expect(queues(messages)).toEqual(queues(targets.map(messageOf)));
  });

  it('is bounded', async () => {
    for (let post = 0; post < 7; post += 1) {
      const accounts = Array.from({ length: 100 }, () => ({ ...soon, accountId: newId(startMs) }));
      await batchPut(
        table,
        accounts.map((changes) => targetItem(aTarget(changes))),
      );
    }
    expect((await sentAhead()).messages).toHaveLength(500);
  });

  it('is all that can be read', async () => {
    const [broken, ...others] = Array.from({ length: 3 }, () => aTarget(soon));
    if (!broken) throw new Error('no target');
    await batchPut(table, [...others.map(targetItem), { ...targetItem(broken), options: 'no JSON' }]);
    const { messages, reports } = await sentAhead();
    expect(messages).toHaveLength(2);
    expect(reports).toEqual([expect.stringContaining('not swept')]);
  });
});
