/** Delivers one batch of a table's stream: retries it, splits it or gives it up. */
import { randomUUID } from 'node:crypto';
import type { StreamRecord } from '../engines/types.ts';
import type { EventSourceResource } from '../model.ts';
import { failedRecords } from './batch-outcome.ts';
import { pause } from './pause.ts';
import type { SourceSurroundings } from './source.ts';

export type StreamSettings = NonNullable<EventSourceResource['stream']>;

/** The reason that a batch is given up, in Lambda's terms. */
type Condition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

const firstRetryMs = 500;
const longestRetryMs = 30_000;
/** A stream keeps its records for a day, so no record is retried for longer. */
const streamRetentionSeconds = 86_400;

export interface StreamDelivery extends Pick<SourceSurroundings, 'clock' | 'queues' | 'invoke' | 'log'> {
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
export async function deliverStreamBatch(
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
