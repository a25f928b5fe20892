import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { build } from '../../../functions/consumers/keep-schedules.ts';
import { openLogger } from '../../../functions/wire/logger.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { DistantWake } from '../../../lib/publishing/relay/keep-schedule.ts';
import { scheduleName } from '../../../lib/publishing/wake.ts';
import type { Table } from '../../../lib/table/table.ts';
import { failingTable, sweepAfter } from '../../lib/recovery/fixture.ts';
import { aTarget, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let schedules: Map<string, number>;
let enqueued: { postId: string; delaySeconds: number | undefined }[];
let isAvailable: boolean;
beforeAll(() => openLogger().setLogLevel('SILENT'));
afterAll(() => openLogger().setLogLevel('WARN'));
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  table = await createTestTable();
  schedules = new Map();
  enqueued = [];
  isAvailable = true;
});

afterEach(() => void vi.useRealTimers());

/** Delivers messages to the function. @returns the places of those that SQS must deliver again */
async function deliver(wakes: readonly DistantWake[], usedTable = table): Promise<number[]> {
  const ask = () => {
    if (!isAvailable) throw new Error('Scheduler does not answer');
  };
  const handler = build({
    table: usedTable,
    receiveAgain: async () => {},
    scheduledQueues: { publish: 'publish', upload: 'upload' },
    schedules: {
      create: async (name, _message, atMs) => {
        ask();
        if (!schedules.has(name)) schedules.set(name, atMs);
      },
      remove: async (name) => {
        ask();
        schedules.delete(name);
      },
    },
    wakeQueues: {
      send: async ({ postId }, delaySeconds) => void enqueued.push({ postId, delaySeconds }),
      sendAll: async () => new Set(),
    },
  }) as unknown as (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;
  const Records = wakes.map((wake, index) => ({ messageId: String(index), body: JSON.stringify(wake) }));
  const { batchItemFailures } = await handler({ Records } as SQSEvent, {} as Context);
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
}

function wakeIn(aheadMs: number, kind: DistantWake['kind'] = 'schedule wake'): DistantWake {
  const wakeMs = startMs + aheadMs;
  const wakeAt = toTimestamp(wakeMs);
  const target = aTarget({ postId: newId(startMs), scheduledFor: wakeAt, wakeAt });
  const { workspaceId } = target;
  return { kind, workspaceId, message: messageOf(target), wakeMs, queue: 'publish', aheadMs: 1_000 };
}

describe('a distant wake', () => {
  it('gets one schedule, a minute and a half ahead of it, however often its message comes', async () => {
    const wake = wakeIn(hourMs);
    expect(await deliver([wake, wake])).toEqual([]);
    expect(await deliver([wake])).toEqual([]);
    expect([...schedules]).toEqual([[scheduleName(wake.message), wake.wakeMs - 90 * secondMs]]);
  });

  it('that is out of date loses its schedule', async () => {
    const wake = wakeIn(hourMs);
    await deliver([wake]);
    expect(await deliver([{ ...wake, kind: 'unschedule wake' }])).toEqual([]);
    expect(schedules.size).toBe(0);
  });

  it('that has become near while its message waited goes to its queue', async () => {
    const wake = wakeIn(2 * minuteMs);
    expect(await deliver([wake])).toEqual([]);
    expect(schedules.size).toBe(0);
    const { postId } = wake.message;
    expect(enqueued).toEqual([
      { postId, delaySeconds: 119 },
      { postId, delaySeconds: 135 },
    ]);
  });

  it('that has become near and is out of date is left alone: its schedule fires any moment', async () => {
    const wake = wakeIn(2 * minuteMs);
    schedules.set(scheduleName(wake.message), 0);
    expect(await deliver([{ ...wake, kind: 'unschedule wake' }])).toEqual([]);
    expect(schedules.size).toBe(1);
  });
});

describe('while Scheduler is unavailable', () => {
  beforeEach(() => {
    isAvailable = false;
  });

  it('a distant wake is left to the sweep, and its message does not come again', async () => {
    expect(await deliver([wakeIn(hourMs)])).toEqual([]);
    expect((await sweepAfter(table, 2)).count).toMatchObject({ repairs: 1 });
  });

  it('a deletion is dropped, because the message of an outdated wake has no effect', async () => {
    expect(await deliver([wakeIn(hourMs, 'unschedule wake')])).toEqual([]);
    expect((await sweepAfter(table, 2)).count).toMatchObject({ repairs: 0 });
  });

  it('the message comes again if the sweep cannot be told either', async () => {
    expect(
      await deliver(
        [wakeIn(hourMs)],
        failingTable(table, () => true),
      ),
    ).toEqual([0]);
  });
});
