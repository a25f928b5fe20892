/** A process that works the changes of one shard with the relay's handler, one batch after the other, as Lambda does. */
import { setTimeout as delay } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { build } from '../../../functions/streams/relay.ts';
import { openTenantQueue, sendingTogether } from '../../../lib/aws/queue.ts';
import { guardSchedules } from '../../../lib/aws/scheduler-guard.ts';
import { hourMs, secondMs, systemClock, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { ChainMessage } from '../../../lib/posts/stored/chain-schemas.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import type { DistantWake } from '../../../lib/publishing/relay/keep-schedule.ts';
import { scheduleName } from '../../../lib/publishing/wake.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import { aTarget } from '../../support/builders.ts';
import type { ShardOrder, ShardReport } from './shard-process.ts';

/** The size of a batch of the stream (`infra/constructs/triggers.ts`). */
const batchSize = 100;

interface Change {
  readonly record: DynamoDBRecord;
  /** The time of the commit after the beginning, in milliseconds. */
  readonly atMs: number;
}

process.on('message', (order: ShardOrder) => {
  void work(order).then((report) => process.send?.(report));
});

async function work(order: ShardOrder): Promise<ShardReport> {
  const { endpointUrl, distant, perSecond, schedulerMs } = order;
  let nearAtMs = Number.NaN;
  const handler = relayOf(endpointUrl, schedulerMs, () => {
    nearAtMs = performance.now();
  });
  const changes = changesOf(distant, perSecond);
  const startMs = performance.now();
  const used = process.cpuUsage();
  let next = 0;
  while (next < changes.length) {
    const elapsedMs = () => performance.now() - startMs;
    await delay(Math.max(0, (changes[next]?.atMs ?? 0) - elapsedMs()));
    const nowMs = elapsedMs();
    const seen = changes.slice(next, next + batchSize).filter(({ atMs }) => atMs <= nowMs);
    next += seen.length;
    await handler({ Records: seen.map(({ record }) => record) });
  }
  const { user, system } = process.cpuUsage(used);
  return {
    nearMs: nearAtMs - startMs - (changes.at(-1)?.atMs ?? 0),
    processorMs: (user + system) / 1_000,
  };
}

/** The relay with queues at the endpoint. With `schedulerMs` it asks Scheduler itself, as it did once. */
function relayOf(url: string, schedulerMs: number | undefined, onNear: () => void) {
  const access = {
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  };
  const queueOf = <Message extends { readonly workspaceId: string }>(name: string) =>
    sendingTogether(openTenantQueue<Message>(`${url}/${name}`, { access }));
  const wakeQueue = queueOf<PublishMessage>('publish');
  const distantQueue = queueOf<DistantWake>('distant');
  const schedules = guardSchedules(
    { create: () => delay(schedulerMs), remove: () => delay(schedulerMs) },
    systemClock,
  );
  const dependencies = {
    recordMetrics: () => {},
    dailyLimits: {},
    stageFeatures: {},
    chainQueue: queueOf<ChainMessage>('chain'),
    wakeQueues: {
      ...wakeQueue,
      send: async (message: PublishMessage, delaySeconds?: number) => {
        await wakeQueue.send(message, delaySeconds);
        onNear();
      },
    },
    distantWakeQueue:
      schedulerMs === undefined
        ? distantQueue
        : {
            ...distantQueue,
            send: ({ message, wakeMs, queue }: DistantWake) =>
              schedules.create(scheduleName(message), message, wakeMs, queue),
          },
  };
  return build(dependencies as never) as unknown as (event: DynamoDBStreamEvent) => Promise<unknown>;
}

/** The changes of a bulk of distant posts with one target, and at last one that is due in a second. */
function changesOf(distant: number, perSecond: number): Change[] {
  const nowMs = systemClock();
  return Array.from({ length: distant + 1 }, (_, index) => {
    const atMs = (index / perSecond) * secondMs;
    const wakeAt = toTimestamp(nowMs + atMs + (index === distant ? secondMs : hourMs));
    const target = aTarget({
      platform: 'facebook',
      workspaceId: newId(nowMs),
      postId: newId(nowMs),
      scheduledFor: wakeAt,
      wakeAt,
    });
    const image = marshall(targetItem(target), { removeUndefinedValues: true });
    return {
      atMs,
      record: {
        eventID: String(index),
        eventName: 'INSERT',
        dynamodb: {
          NewImage: image as never,
          ApproximateCreationDateTime: (nowMs + atMs) / secondMs,
          SequenceNumber: String(index),
        },
      },
    };
  });
}
