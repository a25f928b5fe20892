import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { passesFilters } from '@herald/local-cloud/event-sources/event-filter.ts';
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { StreamFilters } from '../../../infra/functions/stream-filters.ts';
import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import type { World } from '../world/world.ts';
import type { Change } from './committed.ts';

interface Record {
  readonly record: DynamoDBRecord;
  readonly atMs: number;
}

const maxBatchRecords = 100;

export interface StreamReader {
  readonly name: string;
  readonly filters: StreamFilters;
  /** Hours in which Lambda retries a record: the stream keeps it for a day. */
  readonly triedForHours: number;
  /**
   * Number of batches that Lambda works at the same time (`parallelizationFactor`). All changes of one item are in the same
   * lane.
   */
  readonly batchesAtOnce: number;
  /** Works a batch; `undefined` if the worker crashed or failed. */
  readonly work: (records: readonly DynamoDBRecord[]) => Promise<DynamoDBBatchResponse | undefined>;
}

/**
 * The table's stream with one Lambda consumer. It delivers every change at least once, and the changes of one item in
 * order. A failed batch comes again from its first failed record, and blocks the records behind it.
 */
export function createStreamReader(
  world: World,
  { name, filters, triedForHours, batchesAtOnce, work }: StreamReader,
) {
  const { random, clockwork } = world;
  const lanes = Array.from({ length: batchesAtOnce }, () => ({ records: [] as Record[], isBusy: false }));
  type Lane = (typeof lanes)[number];
  let sequence = 0;

  function append(change: Change): void {
    const lane = lanes[Number.parseInt(sha256(change.key).slice(0, 4), 16) % batchesAtOnce];
    if (!lane) throw new Error('there is no such lane');
    sequence += 1;
    const record = recordOf(change, sequence, world.now());
    if (!passesFilters(filters, record)) return;
    lane.records.push({ record, atMs: world.now() });
    if (!lane.isBusy) read(lane, usualDelayMs());
  }

  function usualDelayMs(): number {
    if (!world.happens('streamLate')) return random.between(150, 500);
    const lateMs = random.between(0, 5 * minuteMs);
    world.troubleUntil(world.now() + lateMs, 'streamLate', name);
    return lateMs;
  }

  function read(lane: Lane, delayMs: number): void {
    lane.isBusy = true;
    clockwork.after(delayMs, () => {
      const outage = world.outageOf('stream');
      if (outage) read(lane, outage.untilMs - world.now() + random.between(0, 30 * secondMs));
      else void workLane(lane);
    });
  }

  async function workLane(lane: Lane): Promise<void> {
    const { records } = lane;
    while (records[0] && world.now() - records[0].atMs > triedForHours * hourMs) {
      world.note('note', name, 'a change has expired');
      records.shift();
    }
    const batch = records.slice(0, random.integer(1, maxBatchRecords)).map(({ record }) => record);
    const answer = batch.length === 0 ? { batchItemFailures: [] } : await work(batch);
    const done = answer ? doneOf(batch, answer) : 0;
    if (!world.happens('streamTwice')) records.splice(0, done);
    if (records.length === 0) lane.isBusy = false;
    else read(lane, done === batch.length ? usualDelayMs() : random.between(secondMs, 30 * secondMs));
  }

  return { append };
}

/** Counts the records of a batch that are done: those before the first failed one. */
function doneOf(batch: readonly DynamoDBRecord[], { batchItemFailures }: DynamoDBBatchResponse): number {
  const failed = batchItemFailures.map(({ itemIdentifier }) =>
    batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier),
  );
  return Math.min(batch.length, ...failed);
}

/** Every consumer of the stream gets the same images, so each is made once. */
const images = new WeakMap<object, { readonly [name: string]: AttributeValue }>();

function imageOf(item: object): { readonly [name: string]: AttributeValue } {
  const image = images.get(item) ?? marshall(item, { removeUndefinedValues: true });
  images.set(item, image);
  return image;
}

function recordOf({ before, after }: Change, sequence: number, atMs: number): DynamoDBRecord {
  const { pk, sk } = (after ?? before) as { pk: string; sk: string };
  const fields = {
    ...(before && { OldImage: imageOf(before) }),
    ...(after && { NewImage: imageOf(after) }),
  };
  return {
    eventID: String(sequence),
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      SequenceNumber: String(sequence).padStart(21, '0'),
      ApproximateCreationDateTime: Math.floor(atMs / secondMs),
      ...fields,
    } as NonNullable<DynamoDBRecord['dynamodb']>,
  };
}
