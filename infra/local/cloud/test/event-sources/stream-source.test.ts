import { afterEach, describe, expect, it } from 'vitest';
import type { StreamRecord } from '../../engines/types.ts';
import type { EventSource } from '../../event-sources/source.ts';
import { type StreamSettings, startStreamSource } from '../../event-sources/stream-source.ts';
import type { EventSourceResource } from '../../model.ts';
import type { InvokeOutcome } from '../../runtime/execution-environment.ts';
import {
  broken,
  createStream,
  createSurroundings,
  failing,
  functionArn,
  handled,
  queueArn,
  streamArn,
} from './fakes.ts';

const sources: EventSource[] = [];
afterEach(() => Promise.all(sources.splice(0).map((source) => source.stop())));

function start(
  answer: (sequenceNumbers: readonly string[]) => InvokeOutcome | Promise<InvokeOutcome>,
  settings: Partial<StreamSettings> = {},
  mappingSettings: Partial<EventSourceResource> = {},
) {
  const cloud = createSurroundings<StreamRecord>((records) => answer(sequenceNumbers(records)));
  const stream = createStream(cloud.clock);
  const allSettings = {
    bisectsOnError: false,
    maximumRetryAttempts: -1,
    maximumRecordAgeSeconds: -1,
    parallelizationFactor: 1,
    ...settings,
  };
  const mapping = {
    functionArn,
    sourceArn: streamArn,
    batchSize: 10,
    batchingWindowSeconds: 0,
    reportsBatchItemFailures: true,
    filters: [],
    ...mappingSettings,
  };
  return {
    ...cloud,
    ...stream,
    begin: () => sources.push(startStreamSource(mapping, allSettings, stream.reader, cloud.surroundings)),
    batches: () => cloud.batches.map(sequenceNumbers),
    times: () => cloud.batches.flat().map(({ dynamodb }) => dynamodb.ApproximateCreationDateTime),
  };
}

/** Polls often, so that a probe can move the clock in small steps. */
const eventually = <Value>(probe: () => Value) => expect.poll(probe, { interval: 1 });

const sequenceNumbers = (records: readonly StreamRecord[]) =>
  records.map(({ dynamodb }) => dynamodb.SequenceNumber);

describe('a stream feeds its function', () => {
  it('with records in order, and commits its position', async () => {
    const { append, begin, batches, committed } = start(() => handled, {}, { batchSize: 2 });
    append('a', 'b', 'c');
    begin();
    await eventually(() => batches().flat()).toEqual(['1', '2', '3']);
    await eventually(() => committed.at(-1)).toBe('3');
  });

  it('with the time of the local clock, which may have been moved', async () => {
    const { append, begin, clock, committed, times } = start(() => handled);
    clock.advance(86_400_000);
    append('a');
    begin();
    await eventually(() => committed).toEqual(['1']);
    expect(times()).toEqual([clock.now() / 1000]);
  });

  it('with records that pass the filters, and counts the others as done', async () => {
    const filters = [{ dynamodb: { Keys: { pk: { S: ['b'] } } } }];
    const { append, begin, batches, committed } = start(() => handled, {}, { filters });
    append('a', 'b', 'c');
    begin();
    await eventually(batches).toEqual([['2']]);
    await eventually(() => committed.at(-1)).toBe('3');
  });

  it('concurrently for different items, in order for one item', async () => {
    const seen: string[] = [];
    let finishSlow = () => {};
    const slow = new Promise<void>((settle) => {
      finishSlow = settle;
    });
    const { append, begin, committed } = start(
      async (numbers) => {
        if (numbers.includes('1')) await slow;
        seen.push(...numbers);
        return handled;
      },
      { parallelizationFactor: 8 },
      { batchSize: 1 },
    );
    append('slow', 'b', 'c', 'd', 'e', 'slow');
    begin();
    await eventually(() => seen.length).toBeGreaterThan(1);
    expect(seen).not.toContain('6');
    expect(committed).toEqual([]);
    finishSlow();
    await eventually(() => committed.at(-1)).toBe('6');
    expect(seen.indexOf('1')).toBeLessThan(seen.indexOf('6'));
  });
});

describe('a batch that fails', () => {
  it('is retried with increasing delays until it is handled', async () => {
    const triedAt: number[] = [];
    const { append, begin, batches, committed, clock } = start(() => {
      triedAt.push(clock.now());
      return triedAt.length <= 3 ? broken : handled;
    });
    append('a', 'b');
    begin();
    await eventually(() => clock.advance(100) ?? committed).toEqual(['2']);
    expect(batches()).toEqual(Array.from({ length: 4 }, () => ['1', '2']));
    const waits = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0));
    expect(waits.every((wait, index) => wait >= 500 * 2 ** index)).toBe(true);
  });

  it('continues from the first failed record in the response', async () => {
    let isFirst = true;
    const { append, begin, batches, committed, clock } = start(() => {
      const outcome = isFirst ? failing('3', '2') : handled;
      isFirst = false;
      return outcome;
    });
    append('a', 'b', 'c');
    begin();
    await expect
      .poll(() => clock.advance(500) ?? batches())
      .toEqual([
        ['1', '2', '3'],
        ['2', '3'],
      ]);
    await eventually(() => committed).toEqual(['3']);
  });

  it('is split until the bad record is alone and given up, and reports its position to the failure queue', async () => {
    const { append, begin, batches, committed, clock, sent } = start(
      (numbers) => (numbers.includes('3') ? broken : handled),
      { bisectsOnError: true, maximumRetryAttempts: 1, onFailureArn: queueArn },
    );
    append('a', 'b', 'c', 'd');
    begin();
    await eventually(() => clock.advance(500) ?? committed).toEqual(['4']);
    expect(batches()).toEqual([['1', '2', '3', '4'], ['1', '2'], ['3', '4'], ['3'], ['3'], ['4']]);
    expect(sent).toHaveLength(1);
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      requestContext: { functionArn, condition: 'RetryAttemptsExhausted', approximateInvokeCount: 2 },
      DDBStreamBatchInfo: { startSequenceNumber: '3', endSequenceNumber: '3', batchSize: 1, streamArn },
    });
  });

  it('is given up if it is too old, but newer records are not', async () => {
    const { append, begin, committed, clock, sent, batches } = start(
      (numbers) => (numbers.includes('1') ? broken : handled),
      { maximumRecordAgeSeconds: 3_600, onFailureArn: queueArn },
      { batchSize: 1 },
    );
    append('a');
    begin();
    await eventually(() => batches().length).toBe(1);
    clock.advance(3_600_000);
    append('b');
    await eventually(() => committed).toEqual(['1', '2']);
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      requestContext: { condition: 'RecordAgeExceeded' },
    });
  });

  it('is tried at least once, however far the clock was moved', async () => {
    const { append, begin, committed, clock, batches, sent } = start(() => handled, {
      maximumRecordAgeSeconds: 60,
    });
    append('a');
    clock.advance(86_400_000);
    begin();
    await eventually(() => committed).toEqual(['1']);
    expect([batches(), sent]).toEqual([[['1']], []]);
  });

  it('is not committed if the source stops', async () => {
    const { append, begin, committed, batches } = start(() => broken);
    append('a');
    begin();
    await eventually(() => batches().length).toBe(1);
    await Promise.all(sources.splice(0).map((source) => source.stop()));
    expect(committed).toEqual([]);
  });
});
