/** Reads a table's stream from the engine, as Lambda's poller does: at least once, from each consumer's position. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { TableResource } from '../../model.ts';
import type { StreamReader, StreamRecord } from '../types.ts';
import type { EngineClient } from './engine-client.ts';
import type { StreamPositions } from './stream-positions.ts';

export interface TableStream {
  reader(consumerName: string): StreamReader;
  /** Call this after a write: waiting readers then poll immediately. */
  nudge(): void;
  /** Wakes every waiting reader, which then returns no records. */
  stop(): void;
}

/** The poll interval without a nudge. Lambda polls four times per second too. */
const pollMs = 250;
const prefix = 'DynamoDBStreams_20120810';

const image = z.record(z.string(), z.unknown());
const engineRecord = z.object({
  eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
  dynamodb: z.object({
    ApproximateCreationDateTime: z.number(),
    Keys: image,
    NewImage: image.optional(),
    OldImage: image.optional(),
    SequenceNumber: z.string(),
    SizeBytes: z.number(),
    StreamViewType: z.string(),
  }),
  userIdentity: z.looseObject({ type: z.string(), principalId: z.string() }).nullish(),
});
type EngineRecord = z.infer<typeof engineRecord>;

const recordsAnswer = z.object({ Records: z.array(engineRecord), NextShardIterator: z.string().nullish() });
const streamAnswer = z.object({
  StreamDescription: z.object({
    Shards: z.array(
      z.object({
        ShardId: z.string(),
        SequenceNumberRange: z.object({ EndingSequenceNumber: z.string().optional() }),
      }),
    ),
  }),
});

interface Cursor {
  readonly shardId: string;
  readonly iterator: string;
}

/** @param dependencies.engineStreamArn the engine's ARN of the stream, which differs from the model's. */
export function createTableStream(dependencies: {
  readonly client: EngineClient;
  readonly positions: StreamPositions;
  readonly table: TableResource;
  readonly engineStreamArn: string;
  readonly region: string;
}): TableStream {
  const { client, positions, table, engineStreamArn, region } = dependencies;
  const waiting = new Set<() => void>();
  const stopping = new AbortController();

  function waitForChange(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        waiting.delete(finish);
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      waiting.add(finish);
      signal.addEventListener('abort', finish);
      if (signal.aborted) finish();
    });
  }

  /** Opens the shard that contains the records after the given one; undefined if there is none yet. */
  async function openCursor(
    after: string | undefined,
    endedShardId: string | undefined,
  ): Promise<Cursor | undefined> {
    const answer = await client.call(`${prefix}.DescribeStream`, { StreamArn: engineStreamArn });
    const shards = streamAnswer.parse(answer).StreamDescription.Shards;
    const ended = shards.findIndex(({ ShardId }) => ShardId === endedShardId);
    const shard = shards
      .slice(ended + 1)
      .find(({ SequenceNumberRange: { EndingSequenceNumber } }, place, rest) =>
        // dynoxide gives an ending number to its only open shard too, so the last shard is never skipped.
        place === rest.length - 1 || EndingSequenceNumber === undefined || after === undefined
          ? true
          : BigInt(EndingSequenceNumber) > BigInt(after),
      );
    if (!shard) return undefined;
    const { ShardIterator } = await client.call(`${prefix}.GetShardIterator`, {
      StreamArn: engineStreamArn,
      ShardId: shard.ShardId,
      ...(after === undefined || ended >= 0
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }),
    });
    return { shardId: shard.ShardId, iterator: z.string().parse(ShardIterator) };
  }

  function reader(consumerName: string): StreamReader {
    let cursor: Cursor | undefined;
    let endedShardId: string | undefined;

    async function fetchRecords(max: number): Promise<StreamRecord[]> {
      cursor ??= await openCursor(positions.get(engineStreamArn, consumerName), endedShardId);
      if (!cursor) return [];
      const answer = recordsAnswer.parse(
        await client.call(`${prefix}.GetRecords`, { ShardIterator: cursor.iterator, Limit: max }),
      );
      const next = answer.NextShardIterator;
      endedShardId = next ? endedShardId : cursor.shardId;
      cursor = next ? { ...cursor, iterator: next } : undefined;
      return answer.Records.filter(changedSomething).map(toLambda);
    }

    return {
      async read({ maxRecords, waitMs, signal: given }) {
        const signal = given ? AbortSignal.any([given, stopping.signal]) : stopping.signal;
        const deadline = performance.now() + waitMs;
        for (;;) {
          if (signal.aborted) return [];
          // Notices a write that happens between the fetch and the wait.
          let changed = false;
          const notice = () => {
            changed = true;
          };
          waiting.add(notice);
          const records = await fetchRecords(maxRecords).finally(() => waiting.delete(notice));
          const remainingMs = deadline - performance.now();
          if (records.length > 0 || remainingMs <= 0) return records;
          if (!changed) await waitForChange(Math.min(pollMs, remainingMs), signal);
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
      for (const wake of [...waiting]) wake();
    },
    stop: () => stopping.abort(),
  };
}

/** DynamoDB writes no record for an update that does not change the item; dynoxide does. */
function changedSomething({ dynamodb: { NewImage, OldImage } }: EngineRecord): boolean {
  return NewImage === undefined || OldImage === undefined || !isDeepStrictEqual(NewImage, OldImage);
}
