/** A fake queue, stream and function, to test event sources without an engine or a process. */
import { createMovableClock } from '../../clock.ts';
import type { QueueMessage, StreamReader, StreamRecord } from '../../engines/types.ts';
import type { SourceSurroundings } from '../../event-sources/source.ts';
import type { InvokeOutcome } from '../../runtime/execution-environment.ts';

export const queueArn = 'arn:aws:sqs:us-east-1:000000000000:jobs';
export const streamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/posts/stream/now';
export const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:work';

export const handled: InvokeOutcome = { ok: true, result: null };
export const broken: InvokeOutcome = { ok: false, error: { errorType: 'Error', errorMessage: 'broken' } };
export const failing = (...identifiers: readonly string[]): InvokeOutcome => ({
  ok: true,
  result: { batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) },
});

/** Creates the surroundings of a source: a clock that only a test moves, one queue, and a function that responds with `answer`. */
export function createSurroundings<Record>(
  answer: (records: readonly Record[]) => InvokeOutcome | Promise<InvokeOutcome>,
) {
  const clock = createMovableClock({ realNow: () => Date.UTC(2026, 0, 1) });
  const waiting: QueueMessage[] = [];
  const deleted: string[] = [];
  const sent: { queueArn: string; body: string }[] = [];
  const batches: (readonly Record[])[] = [];
  const logged: string[] = [];
  let arrive = () => {};

  const surroundings: SourceSurroundings = {
    clock,
    region: 'us-east-1',
    log: (line) => logged.push(line),
    invoke: async (_, event) => {
      const { Records } = event as { Records: readonly Record[] };
      batches.push(Records);
      return answer(Records);
    },
    queues: {
      send(message) {
        sent.push(message);
        return { messageId: 'm', md5OfBody: '' };
      },
      commitTogether: (steps) => steps(),
      delete: (_, receiptHandle) => deleted.push(receiptHandle),
      receive: async ({ max, waitMs, signal }) =>
        takeOrWait(waiting, max, waitMs, clock, (wake) => (arrive = wake), signal),
    },
  };
  return {
    surroundings,
    clock,
    batches,
    deleted,
    sent,
    logged,
    /** Puts messages with these bodies into the queue. The body is also the message's id. */
    put(...bodies: readonly string[]) {
      waiting.push(...bodies.map(toMessage));
      arrive();
    },
  };
}

/** Creates an in-memory stream. */
export function createStream(clock: SourceSurroundings['clock']) {
  const waiting: StreamRecord[] = [];
  const committed: string[] = [];
  let arrive = () => {};
  let count = 0;
  const reader: StreamReader = {
    read: ({ maxRecords, waitMs, signal }) =>
      takeOrWait(waiting, maxRecords, waitMs, clock, (wake) => (arrive = wake), signal),
    commit: (sequenceNumber) => committed.push(sequenceNumber),
  };
  return {
    reader,
    committed,
    /** Appends a change of the item with each of these keys. Sequence numbers count from 1. */
    append(...keys: readonly string[]) {
      waiting.push(
        ...keys.map((key): StreamRecord => {
          count += 1;
          return {
            eventID: String(count),
            eventName: 'MODIFY',
            eventVersion: '1.1',
            eventSource: 'aws:dynamodb',
            awsRegion: 'us-east-1',
            eventSourceARN: streamArn,
            dynamodb: {
              ApproximateCreationDateTime: (clock.now() - clock.offsetMs()) / 1000,
              Keys: { pk: { S: key } },
              SequenceNumber: String(count),
              SizeBytes: 1,
              StreamViewType: 'NEW_AND_OLD_IMAGES',
            },
          };
        }),
      );
      arrive();
    },
  };
}

async function takeOrWait<Item>(
  items: Item[],
  limit: number,
  waitMs: number,
  clock: SourceSurroundings['clock'],
  onArrival: (wake: () => void) => void,
  signal: AbortSignal | undefined,
): Promise<readonly Item[]> {
  if (items.length === 0 && waitMs > 0 && !signal?.aborted) {
    await new Promise<void>((settle) => {
      onArrival(settle);
      clock.setTimer(clock.now() + waitMs, settle);
      signal?.addEventListener('abort', () => settle(), { once: true });
    });
  }
  return items.splice(0, limit);
}

function toMessage(body: string): QueueMessage {
  return {
    messageId: body,
    receiptHandle: body,
    body,
    md5OfBody: 'md5',
    attributes: { ApproximateReceiveCount: '1' },
    messageAttributes: { trace: { dataType: 'String', stringValue: 't' } },
  };
}
