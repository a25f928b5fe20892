/** Passes a table's changes to a function: Lambda's event source mapping for DynamoDB Streams, for one shard. */
import { createHash, randomUUID } from 'node:crypto';
import type { StreamReader, StreamRecord } from '../engines/types.ts';
import type { EventSourceResource } from '../model.ts';
import { failedRecords } from './batch-outcome.ts';
import { passesFilters } from './event-filter.ts';
import { type EventSource, gatherBatch, pause, type SourceSurroundings } from './source.ts';

export type StreamSettings = NonNullable<EventSourceResource['stream']>;

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

/** The reason that a batch is given up, in Lambda's terms. */
type Condition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

const firstRetryMs = 500;
const longestRetryMs = 30_000;
/** A stream keeps its records for a day, so no record is retried for longer. */
const streamRetentionSeconds = 86_400;

interface StreamDelivery extends Pick<SourceSurroundings, 'clock' | 'queues' | 'invoke' | 'log'> {
  readonly mapping: EventSourceResource;
  readonly settings: StreamSettings;
  readonly signal: AbortSignal;
}

/**
 * Invokes the function until each record is handled or given up. After a partial batch response, the batch continues from its
 * first failed record. If all records failed and the mapping says so, the batch is split in two, so that one bad record cannot
 * block the others forever. https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 *
 * @returns true if the batch is done; false if the source stopped first, so the batch must be delivered again.
 */
async function deliverStreamBatch(
  records: readonly StreamRecord[],
  delivery: StreamDelivery,
  earlierFailures = 0,
): Promise<boolean> {
  const { clock, invoke, mapping, settings, signal } = delivery;
  let batch = records;
  let failures = earlierFailures;
  for (;;) {
    if (signal.aborted) return false;
    if (failures > 0) {
      // No record expires before its first attempt: moving the clock by a day must not expire records that were never tried.
      const [young, old] = splitByAge(batch, clock.now(), settings.maximumRecordAgeSeconds);
      giveUp(old, 'RecordAgeExceeded', failures, delivery);
      if (young.length === 0) return true;
      batch = young;
    }
    const outcome = await invoke(mapping.functionArn, { Records: batch });
    if (signal.aborted && !outcome.ok) return false;
    const sequenceNumbers = batch.map(({ dynamodb }) => dynamodb.SequenceNumber);
    const failed = failedRecords(outcome, mapping.reportsBatchItemFailures, sequenceNumbers);
    if (failed !== 'all' && failed.size === 0) return true;
    const handled = failed === 'all' ? 0 : sequenceNumbers.findIndex((number) => failed.has(number));
    batch = batch.slice(handled);
    failures += 1;

    if (settings.maximumRetryAttempts >= 0 && failures > settings.maximumRetryAttempts) {
      giveUp(batch, 'RetryAttemptsExhausted', failures, delivery);
      return true;
    }
    await pause(clock, Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs), signal);
    if (settings.bisectsOnError && failed === 'all' && batch.length > 1) {
      // A split does not count as a retry.
      const middle = Math.ceil(batch.length / 2);
      const firstDone = await deliverStreamBatch(batch.slice(0, middle), delivery, failures - 1);
      return firstDone && (await deliverStreamBatch(batch.slice(middle), delivery, failures - 1));
    }
  }
}

/** Splits a batch by age. Old records come first, because a stream is ordered by time. */
function splitByAge(
  batch: readonly StreamRecord[],
  now: number,
  maximumAgeSeconds: number,
): [young: readonly StreamRecord[], old: readonly StreamRecord[]] {
  const limitSeconds = maximumAgeSeconds < 0 ? streamRetentionSeconds : maximumAgeSeconds;
  const isYoung = ({ dynamodb }: StreamRecord) =>
    dynamodb.ApproximateCreationDateTime > now / 1000 - limitSeconds;
  const firstYoung = batch.findIndex(isYoung);
  const end = firstYoung < 0 ? batch.length : firstYoung;
  return [batch.slice(end), batch.slice(0, end)];
}

/** Sends the batch's position in the stream, without its records, to the failure destination. */
function giveUp(
  batch: readonly StreamRecord[],
  condition: Condition,
  invokeCount: number,
  { clock, queues, log, mapping, settings }: StreamDelivery,
): void {
  const [first, last] = [batch[0], batch.at(-1)];
  if (first === undefined || last === undefined) return;
  log(`${mapping.functionArn}: gave up ${batch.length} stream records (${condition})`);
  if (settings.onFailureArn === undefined) return;
  const toTime = ({ dynamodb }: StreamRecord) =>
    new Date(dynamodb.ApproximateCreationDateTime * 1000).toISOString();
  const message = {
    requestContext: {
      requestId: randomUUID(),
      functionArn: mapping.functionArn,
      condition,
      approximateInvokeCount: invokeCount,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date(clock.now()).toISOString(),
    DDBStreamBatchInfo: {
      shardId: 'shardId-00000000000000000000-00000000',
      startSequenceNumber: first.dynamodb.SequenceNumber,
      endSequenceNumber: last.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: toTime(first),
      approximateArrivalOfLastRecord: toTime(last),
      batchSize: batch.length,
      streamArn: mapping.sourceArn,
    },
  };
  queues.send({ queueArn: settings.onFailureArn, body: JSON.stringify(message) });
}
