/** Reads a table's stream from the engine, as Lambda's poller does: at least once, from each consumer's position. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TableResource } from '../../model.ts';
import type { StreamReader, StreamRecord } from '../types.ts';
import type { EngineClient } from './engine-client.ts';
import { createStreamCursor, type EngineRecord, type StreamCursor } from './stream-cursor.ts';
import { createStreamFeed } from './stream-feed.ts';
import type { StreamPositions } from './stream-positions.ts';

export interface TableStream {
  reader(consumerName: string): StreamReader;
  /** Wakes the readers. Call this after a write: waiting readers then poll immediately. */
  nudge(): void;
  /** Wakes every waiting reader, which then returns no records. */
  stop(): void;
}

/** The poll interval without a nudge. Lambda polls four times per second too. */
const pollMs = 250;

/**
 * @param dependencies.engineStreamArn the engine's ARN of the stream, which differs from the model's.
 * @param dependencies.keptRecords the number of recent records that readers share
 */
export function createTableStream(dependencies: {
  readonly client: EngineClient;
  readonly positions: StreamPositions;
  readonly table: Pick<TableResource, 'streamArn'>;
  readonly engineStreamArn: string;
  readonly region: string;
  readonly keptRecords?: number;
}): TableStream {
  const { client, positions, table, engineStreamArn, region, keptRecords = 10_000 } = dependencies;
  const waiting = new Set<() => void>();
  let isStopped = false;
  let nudges = 0;
  const open = (start: string | undefined) => createStreamCursor(client, engineStreamArn, start);
  const convert = (record: EngineRecord) => (changedSomething(record) ? toLambda(record) : undefined);
  const feed = createStreamFeed({ open, convert, keptRecords, freshMs: pollMs / 2 });

  function waitForChange(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        waiting.delete(finish);
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      waiting.add(finish);
      signal?.addEventListener('abort', finish);
      if (signal?.aborted || isStopped) finish();
    });
  }

  function wake(): void {
    for (const finish of [...waiting]) finish();
  }

  function reader(consumerName: string): StreamReader {
    let hasBegun = false;
    let position: string | undefined;
    /** The reader's own cursor, only while it is too far behind for the feed. */
    let own: StreamCursor | undefined;

    /** Returns the next records: as many as asked for, or all that the stream had at this change. */
    async function nextRecords(maxRecords: number, change: number): Promise<readonly StreamRecord[]> {
      if (!hasBegun) position = positions.get(engineStreamArn, consumerName);
      hasBegun = true;
      for (;;) {
        if (feed.covers(position)) {
          own = undefined;
          const records = feed.after(position, maxRecords);
          if (records.length === maxRecords || feed.hasSeen(change)) {
            position = records.at(-1)?.dynamodb.SequenceNumber ?? position;
            return records;
          }
          await feed.fetch();
        } else {
          own ??= open(position);
          const { records: fetched } = await own.fetch(maxRecords);
          position = fetched.at(-1)?.dynamodb.SequenceNumber ?? position;
          const records = fetched.flatMap((record) => convert(record) ?? []);
          if (records.length > 0 || fetched.length === 0) return records;
        }
      }
    }

    return {
      async read({ maxRecords, waitMs, signal }) {
        const deadline = performance.now() + waitMs;
        for (;;) {
          if (isStopped || signal?.aborted) return [];
          const nudgesBefore = nudges;
          const records = await nextRecords(maxRecords, feed.changesNoted());
          const remainingMs = deadline - performance.now();
          if (records.length > 0 || remainingMs <= 0) return records;
          // Not if something was written between the fetch and now.
          if (nudges === nudgesBefore) await waitForChange(Math.min(pollMs, remainingMs), signal);
        }
      },
      commit: (sequenceNumber) => positions.set(engineStreamArn, consumerName, sequenceNumber),
    };
  }

  function toLambda({ eventName, dynamodb, userIdentity }: EngineRecord): StreamRecord {
    const { NewImage, OldImage, ...rest } = dynamodb;
    return {
      eventID: createHash('md5').update(`${engineStreamArn} ${rest.SequenceNumber}`).digest('hex'),
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: region,
      dynamodb: { ...rest, ...(NewImage && { NewImage }), ...(OldImage && { OldImage }) },
      eventSourceARN: table.streamArn,
      ...(userIdentity && { userIdentity }),
    };
  }

  return {
    reader,
    nudge() {
      nudges += 1;
      feed.noteChange();
      wake();
    },
    stop() {
      isStopped = true;
      wake();
    },
  };
}

/**
 * Returns true if a record changed something. For an update that does not change the item, DynamoDB writes no record; dynoxide
 * does.
 */
function changedSomething({ dynamodb: { NewImage, OldImage } }: EngineRecord): boolean {
  return NewImage === undefined || OldImage === undefined || !isDeepStrictEqual(NewImage, OldImage);
}
