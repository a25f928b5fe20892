import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineClient } from '../../../engines/dynamodb/engine-client.ts';
import { createTableStream, type TableStream } from '../../../engines/dynamodb/table-stream.ts';

/** Creates an engine with one stream, whose shards are lists of numbered records. */
function createEngine() {
  const shards: { numbers: number[]; isOpen: boolean }[] = [{ numbers: [], isOpen: true }];
  const unchanged = new Set<number>();
  const engine = { fetches: 0, failures: 0, shards, unchanged, write, endShard, client: client() };
  let last = 0;

  function write(count: number): number[] {
    const numbers = Array.from({ length: count }, () => ++last);
    shards.at(-1)?.numbers.push(...numbers);
    return numbers;
  }
  function endShard(): void {
    for (const shard of shards) shard.isOpen = false;
    shards.push({ numbers: [], isOpen: true });
  }
  function record(number: number) {
    const old = unchanged.has(number) ? number : number - 1;
    return {
      eventName: 'MODIFY',
      dynamodb: {
        ApproximateCreationDateTime: 1,
        Keys: { pk: { S: 'a' } },
        OldImage: { n: { N: String(old) } },
        NewImage: { n: { N: String(number) } },
        SequenceNumber: String(number).padStart(21, '0'),
        SizeBytes: 10,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    };
  }
  function client(): Pick<EngineClient, 'call'> {
    return {
      async call(target, input) {
        const { ShardId, ShardIterator, SequenceNumber, Limit } = input as Record<string, string>;
        if (target.endsWith('DescribeStream')) {
          const Shards = shards.map(({ numbers, isOpen }, index) => ({
            ShardId: String(index),
            SequenceNumberRange: isOpen ? {} : { EndingSequenceNumber: String(numbers.at(-1) ?? 0) },
          }));
          return { StreamDescription: { Shards } };
        }
        if (target.endsWith('GetShardIterator')) {
          const { numbers = [] } = shards[Number(ShardId)] ?? {};
          const first = numbers.findIndex((number) => number > Number(SequenceNumber ?? 0));
          return { ShardIterator: `${ShardId} ${first < 0 ? numbers.length : first}` };
        }
        engine.fetches += 1;
        if (engine.failures > 0) {
          engine.failures -= 1;
          throw new Error('the engine is away');
        }
        const [index = 0, start = 0] = String(ShardIterator).split(' ').map(Number);
        const shard = shards[index];
        const numbers = shard?.numbers.slice(start, start + Number(Limit)) ?? [];
        const end = start + numbers.length;
        const isOver = shard?.isOpen === false && end >= shard.numbers.length;
        return { Records: numbers.map(record), ...(!isOver && { NextShardIterator: `${index} ${end}` }) };
      },
    };
  }
  return engine;
}

const now = { maxRecords: 1_000, waitMs: 0 };
let engine: ReturnType<typeof createEngine>;
let committed: Map<string, string>;
let stream: TableStream;

/** Opens a stream of the same engine and positions, as after a restart. */
function openStream(keptRecords?: number): TableStream {
  return createTableStream({
    client: engine.client as EngineClient,
    positions: {
      get: (_, consumer) => committed.get(consumer),
      set: (_, consumer, number) => void committed.set(consumer, number),
      lowest: () => undefined,
      close() {},
    },
    table: { streamArn: 'stream' },
    engineStreamArn: 'engine stream',
    region: 'eu-west-1',
    ...(keptRecords !== undefined && { keptRecords }),
  });
}

beforeEach(() => {
  engine = createEngine();
  committed = new Map();
  stream = openStream();
});

async function numbersOf(reading: ReturnType<ReturnType<TableStream['reader']>['read']>) {
  return (await reading).map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
}

describe('the readers of a stream', () => {
  it('share one fetch for each batch', async () => {
    const readers = ['one', 'two', 'three'].map((name) => stream.reader(name));
    const readAll = () => Promise.all(readers.map((each) => numbersOf(each.read(now))));
    expect(await readAll()).toEqual([[], [], []]);
    const fetchesBefore = engine.fetches;
    const written = engine.write(5);
    stream.nudge();
    expect(await readAll()).toEqual([written, written, written]);
    expect(await readAll()).toEqual([[], [], []]);
    expect(engine.fetches - fetchesBefore).toBe(1);
  });

  it('share one fetch when a write wakes them', async () => {
    const readers = ['one', 'two', 'three'].map((name) => stream.reader(name));
    await Promise.all(readers.map((each) => each.read(now)));
    const fetchesBefore = engine.fetches;
    const waiting = readers.map((each) => numbersOf(each.read({ maxRecords: 10, waitMs: 20_000 })));
    const written = engine.write(2);
    stream.nudge();
    expect(await Promise.all(waiting)).toEqual([written, written, written]);
    expect(engine.fetches - fetchesBefore).toBeLessThanOrEqual(2);
  });

  it('see what was written while an earlier fetch was under way', async () => {
    const [one, other] = [stream.reader('one'), stream.reader('other')];
    const early = one.read(now);
    const answered = engine.client.call;
    await early;
    engine.client.call = async (target, input) => {
      const answer = await answered(target, input);
      if (!target.endsWith('GetRecords')) return answer;
      engine.client.call = answered;
      written = engine.write(1);
      stream.nudge();
      late = numbersOf(other.read(now));
      return answer;
    };
    let written: number[] = [];
    let late: Promise<number[]> = Promise.resolve([]);
    stream.nudge();
    await one.read(now);
    expect(await late).toEqual(written);
    expect(written).toHaveLength(1);
  });

  it('get everything if they begin late', async () => {
    const written = engine.write(7);
    expect(await numbersOf(stream.reader('early').read(now))).toEqual(written);
    expect(await numbersOf(stream.reader('late').read(now))).toEqual(written);
  });

  it.each([1, 3, 100])(
    'lose nothing if they are slower than the kept range, %i at a time',
    async (maxRecords) => {
      stream = openStream(10);
      const [fast, slow] = [stream.reader('fast'), stream.reader('slow')];
      const written: number[] = [];
      const [seenFast, seenSlow]: number[][] = [[], []];
      for (let round = 0; round < 20; round += 1) {
        written.push(...engine.write(7));
        stream.nudge();
        seenFast?.push(...(await numbersOf(fast.read(now))));
        if (round % 4 === 0) seenSlow?.push(...(await numbersOf(slow.read({ maxRecords, waitMs: 0 }))));
      }
      for (let more = [0]; more.length > 0; seenSlow?.push(...more))
        more = await numbersOf(slow.read({ maxRecords, waitMs: 0 }));
      expect(seenFast).toEqual(written);
      expect(seenSlow).toEqual(written);
    },
  );

  it('continue after their own committed positions after a restart', async () => {
    const written = engine.write(6);
    const [one, other] = [stream.reader('one'), stream.reader('other')];
    const records = await one.read(now);
    one.commit(records[4]?.dynamodb.SequenceNumber ?? '');
    await other.read(now);
    other.commit(records[1]?.dynamodb.SequenceNumber ?? '');
    stream = openStream();
    expect(await numbersOf(stream.reader('one').read(now))).toEqual(written.slice(5));
    expect(await numbersOf(stream.reader('other').read(now))).toEqual(written.slice(2));
    expect(await numbersOf(stream.reader('new').read(now))).toEqual(written);
  });

  it('continue with the next shard when one ends', async () => {
    const reader = stream.reader('one');
    const written = engine.write(3);
    expect(await numbersOf(reader.read(now))).toEqual(written);
    written.push(...engine.write(1));
    engine.endShard();
    written.push(...engine.write(2));
    stream.nudge();
    const rest = [...(await numbersOf(reader.read(now))), ...(await numbersOf(reader.read(now)))];
    expect(rest).toEqual(written.slice(3));
    expect(await numbersOf(stream.reader('late').read(now))).toEqual(written);
  });

  it('do not get records that changed nothing, however many there are', async () => {
    for (const number of engine.write(2_500)) engine.unchanged.add(number);
    const written = engine.write(1);
    expect(await numbersOf(stream.reader('one').read({ maxRecords: 10, waitMs: 0 }))).toEqual(written);
  });

  it('all get the error of a fetch that they wait for, and the next read tries again', async () => {
    const readers = [stream.reader('one'), stream.reader('two')];
    engine.failures = 1;
    const results = await Promise.allSettled(readers.map((each) => each.read(now)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const written = engine.write(2);
    for (const each of readers) expect(await numbersOf(each.read(now))).toEqual(written);
  });

  it('return nothing once the stream has stopped', async () => {
    const reading = stream.reader('one').read({ maxRecords: 10, waitMs: 20_000 });
    await stream.reader('two').read(now);
    stream.stop();
    expect(await reading).toEqual([]);
    engine.write(1);
    expect(await stream.reader('one').read(now)).toEqual([]);
  });
});
