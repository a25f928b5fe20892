/** Passes a table's changes to a function: Lambda's event source mapping for DynamoDB Streams, for one shard. */
import { createHash } from 'node:crypto';
import type { StreamReader, StreamRecord } from '../engines/types.ts';
import type { EventSourceResource } from '../model.ts';
import { passesFilters } from './event-filter.ts';
import { gatherBatch } from './gather.ts';
import { pause } from './pause.ts';
import type { EventSource, SourceSurroundings } from './source.ts';
import { deliverStreamBatch, type StreamSettings } from './stream-batch.ts';

interface Pending {
  readonly record: StreamRecord;
  done: boolean;
}

/** Runs one batch at a time, concurrently with the other lanes. All changes of an item are in the same lane. */
interface Lane {
  readonly pending: Pending[];
  running: Promise<void> | undefined;
}

const pauseAfterErrorMs = 1_000;
/** The maximum number of batches per lane that are read but not committed. */
const batchesAhead = 4;

/**
 * Reads the stream and invokes the function with one batch at a time per lane. A record is committed once it and all
 * earlier records are done, so after a restart some may be delivered again but none is missed.
 */
export function startStreamSource(
  mapping: EventSourceResource,
  settings: StreamSettings,
  reader: StreamReader,
  { clock, queues, invoke, log }: SourceSurroundings,
): EventSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const delivery = { mapping, settings, clock, queues, invoke, log, signal };
  const lanes: Lane[] = Array.from({ length: settings.parallelizationFactor }, () => ({
    pending: [],
    running: undefined,
  }));
  /** All records that have been read and not committed, in the stream's order. */
  const uncommitted: Pending[] = [];
  const readAhead = batchesAhead * mapping.batchSize * lanes.length;

  function commit(): void {
    const firstOpen = uncommitted.findIndex(({ done }) => !done);
    const finished = uncommitted.splice(0, firstOpen < 0 ? uncommitted.length : firstOpen);
    const last = finished.at(-1);
    if (last !== undefined) reader.commit(last.record.dynamodb.SequenceNumber);
  }

  async function drain(lane: Lane): Promise<void> {
    while (lane.pending.length > 0 && !signal.aborted) {
      const batch = lane.pending.slice(0, mapping.batchSize);
      const isDone = await deliverStreamBatch(
        batch.map(({ record }) => record),
        delivery,
      );
      if (!isDone) return;
      lane.pending.splice(0, batch.length);
      for (const pending of batch) pending.done = true;
      commit();
    }
  }

  function start(lane: Lane): void {
    if (lane.running !== undefined || lane.pending.length === 0) return;
    lane.running = drain(lane)
      .catch((error) => {
        report(error);
        return pause(clock, pauseAfterErrorMs, signal);
      })
      .finally(() => {
        lane.running = undefined;
        if (!signal.aborted) start(lane);
      });
  }

  /** Moves a record's date to the local clock. The database engine dates records in real time. */
  function onLocalClock(record: StreamRecord): StreamRecord {
    const { ApproximateCreationDateTime: realSeconds } = record.dynamodb;
    // Whole seconds, as in AWS.
    const seconds = Math.floor(realSeconds + clock.offsetMs() / 1000);
    return { ...record, dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: seconds } };
  }

  function accept(records: readonly StreamRecord[]): void {
    for (const record of records.map(onLocalClock)) {
      const pending = { record, done: !passesFilters(mapping.filters, record) };
      uncommitted.push(pending);
      if (!pending.done) lanes[laneOf(record, lanes.length)]?.pending.push(pending);
    }
    commit();
    for (const lane of lanes) start(lane);
  }

  async function read(): Promise<void> {
    while (!signal.aborted) {
      try {
        const running = lanes.flatMap((lane) => lane.running ?? []);
        if (uncommitted.length >= readAhead)
          await Promise.race([...running, pause(clock, pauseAfterErrorMs, signal)]);
        else accept(await nextRecords());
      } catch (error) {
        report(error);
        await pause(clock, pauseAfterErrorMs, signal);
      }
    }
  }

  function nextRecords(): Promise<readonly StreamRecord[]> {
    const { batchSize, batchingWindowSeconds: windowSeconds } = mapping;
    return gatherBatch({ batchSize, windowSeconds, clock, signal }, (maxRecords, waitMs) =>
      reader.read({ maxRecords, waitMs, signal }),
    );
  }

  function report(error: unknown): void {
    log(`event source ${mapping.sourceArn}: ${error instanceof Error ? error.message : String(error)}`);
  }

  const reading = read();
  return {
    async stop() {
      stopping.abort();
      await reading;
      await Promise.all(lanes.map(({ running }) => running));
    },
  };
}

function laneOf({ dynamodb }: StreamRecord, lanes: number): number {
  const names = Object.keys(dynamodb.Keys).sort();
  const key = JSON.stringify(names.map((name) => dynamodb.Keys[name]));
  return createHash('sha1').update(key).digest().readUInt32BE() % lanes;
}
