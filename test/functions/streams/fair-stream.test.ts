import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { build } from '../../../functions/streams/relay.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { sendingTogether, type TenantQueue } from '../../../lib/aws/queue.ts';
import { hourMs, secondMs, systemClock, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { DistantWake } from '../../../lib/publishing/relay/keep-schedule.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import { aTarget, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

/** The duration of a request to SQS. */
const queueMs = 20;
/** The size of a batch of the stream (`infra/constructs/triggers.ts`), and the time from a commit until Lambda reads it. */
const stream = { batchSize: 100, readMs: 250 };
/**
 * The most new targets per second in a shard: a partition takes 1,000 write units per second, and the transaction that creates a
 * target pays two for it.
 */
const mostPerSecond = 500;
const boundMs = 500;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date'], now: startMs });
});
afterEach(() => void vi.useRealTimers());

const take = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Arrival<Message> {
  readonly message: Message;
  readonly atMs: number;
}

/** A queue that takes ten messages per request, five requests at once, as `openTenantQueue` does. */
function slowQueue<Message extends { readonly workspaceId: string }>() {
  const arrivals: Arrival<Message>[] = [];
  const accept = (messages: readonly Message[]) =>
    arrivals.push(...messages.map((message) => ({ message, atMs: systemClock() })));
  const queue: TenantQueue<Message> = {
    send: async (message) => {
      await take(queueMs);
      accept([message]);
    },
    sendAll: async (messages) => {
      for (let from = 0; from < messages.length; from += 50) {
        await take(queueMs);
        accept(messages.slice(from, from + 50));
      }
      return new Set();
    },
  };
  return { arrivals, queue: sendingTogether(queue) };
}

type Commit = { readonly record: DynamoDBRecord; readonly atMs: number };

/** A new target that is due so long after its commit. */
function commitOf(sequence: number, dueMs: number, atMs = startMs): Commit {
  const wakeAt = toTimestamp(atMs + dueMs);
  const target = aTarget({ postId: newId(atMs), platform: 'facebook', scheduledFor: wakeAt, wakeAt });
  const image = marshall(targetItem(target), { removeUndefinedValues: true });
  return {
    atMs,
    record: {
      eventID: String(sequence),
      eventName: 'INSERT',
      dynamodb: {
        NewImage: image as never,
        ApproximateCreationDateTime: atMs / secondMs,
        SequenceNumber: String(sequence),
      },
    },
  };
}

/** Reads a shard as Lambda does, one batch after the other. */
async function readShard(handler: (event: DynamoDBStreamEvent) => Promise<unknown>, commits: Commit[]) {
  const left = [...commits];
  while (left[0]) {
    await take(Math.max(0, left[0].atMs + stream.readMs - systemClock()));
    const seen = left.findIndex(({ atMs }) => atMs > systemClock());
    const batch = left.splice(0, Math.min(stream.batchSize, seen < 0 ? left.length : seen));
    await handler({ Records: batch.map(({ record }) => record) });
  }
}

it.each<[string, () => Commit[]]>([
  [
    '500 distant ones were committed just before it',
    () => [...Array.from({ length: 500 }, (_, index) => commitOf(index, hourMs)), commitOf(500, secondMs)],
  ],
  [
    '5,000 distant ones are committed as quickly as the table takes them',
    () =>
      Array.from({ length: 5_001 }, (_, index) =>
        commitOf(index, index === 5_000 ? secondMs : hourMs, startMs + (index / mostPerSecond) * secondMs),
      ),
  ],
])(
  'a near wake is in its queue within half a second after Lambda has read it, although %s',
  async (_what, of) => {
    const [wakes, distant] = [slowQueue(), slowQueue<DistantWake>()];
    const relay = build({
      table: await createTestTable(),
      recordMetrics: () => {},
      streamDeadLetters: { send: async () => {} },
      dailyLimits: {},
      stageFeatures: {},
      wakeQueues: wakes.queue,
      distantWakeQueue: distant.queue,
      chainQueue: slowQueue().queue,
      importQueue: slowQueue().queue,
    } as never) as unknown as (
      event: DynamoDBStreamEvent,
      context: Context,
    ) => Promise<DynamoDBBatchResponse>;
    const commits = of();
    const reading = readShard((event) => relay(event, {} as Context), commits);
    await vi.runAllTimersAsync();
    await reading;
    expect(distant.arrivals).toHaveLength(commits.length - 1);
    const [near] = wakes.arrivals;
    const readMs = (commits.at(-1)?.atMs ?? 0) + stream.readMs;
    expect((near?.atMs ?? Infinity) - readMs).toBeLessThanOrEqual(boundMs);
  },
);

it('the relay has one batch of a shard at once, for the targets of a post, and no right to ask Scheduler', () => {
  const relay = workerFunctions.find(({ name }) => name === 'relay');
  expect(relay?.trigger).toMatchObject({ batchesAtOnce: 1 });
  expect(relay?.rights.schedules).toBeUndefined();
});
