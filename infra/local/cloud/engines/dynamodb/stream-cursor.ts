/** Reads a table's stream from the engine, shard after shard, from one position on. */

import { z } from 'zod';
import type { EngineClient } from './engine-client.ts';

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
export type EngineRecord = z.infer<typeof engineRecord>;

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

/** The sequence number of the last record that was read; undefined before the first one. */
export type StreamPosition = string | undefined;

/** Returns a position as a number. Sequence numbers are in the stream's order. */
export const numberOf = (position: StreamPosition): bigint =>
  position === undefined ? -1n : BigInt(position);

export interface FetchedRecords<Fetched = EngineRecord> {
  readonly records: readonly Fetched[];
  /** True if there were no more records when the engine answered. */
  readonly isEnd: boolean;
}

export interface StreamCursor<Fetched = EngineRecord> {
  /**
   * Fetches the next records. Do not call it again before it has settled.
   *
   * @throws AwsError or the connection's error. The next call tries again from the same position.
   */
  fetch(limit: number): Promise<FetchedRecords<Fetched>>;
}

/**
 * The size from which an answer counts as large. An answer has up to 1 MB of records (API_streams_GetRecords), so a large one may
 * not be the last one.
 */
const largeAnswerBytes = 256 * 1024;

/**
 * Creates a cursor.
 *
 * @param start the position before the cursor's first record
 */
export function createStreamCursor(
  client: EngineClient,
  engineStreamArn: string,
  start: StreamPosition,
): StreamCursor {
  let position = start;
  let open: { readonly shardId: string; readonly iterator: string } | undefined;
  let endedShardId: string | undefined;

  /** Opens the shard that contains the records after the position; undefined if there is none yet. */
  async function openShard(): Promise<typeof open> {
    const answer = await client.call(`${prefix}.DescribeStream`, { StreamArn: engineStreamArn });
    const shards = streamAnswer.parse(answer).StreamDescription.Shards;
    const ended = shards.findIndex(({ ShardId }) => ShardId === endedShardId);
    const shard = shards
      .slice(ended + 1)
      .find(({ SequenceNumberRange: { EndingSequenceNumber } }, place, rest) =>
        // dynoxide gives an ending number to its only open shard too, so the last shard is never skipped.
        place === rest.length - 1 || EndingSequenceNumber === undefined
          ? true
          : BigInt(EndingSequenceNumber) > numberOf(position),
      );
    if (!shard) return undefined;
    const { ShardIterator } = await client.call(`${prefix}.GetShardIterator`, {
      StreamArn: engineStreamArn,
      ShardId: shard.ShardId,
      ...(position === undefined || ended >= 0
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position }),
    });
    return { shardId: shard.ShardId, iterator: z.string().parse(ShardIterator) };
  }

  return {
    async fetch(limit) {
      open ??= await openShard();
      if (!open) return { records: [], isEnd: true };
      const answer = recordsAnswer.parse(
        await client.call(`${prefix}.GetRecords`, { ShardIterator: open.iterator, Limit: limit }),
      );
      const { Records: records, NextShardIterator: next } = answer;
      endedShardId = next ? endedShardId : open.shardId;
      open = next ? { ...open, iterator: next } : undefined;
      position = records.at(-1)?.dynamodb.SequenceNumber ?? position;
      const bytes = records.reduce((sum, { dynamodb }) => sum + dynamodb.SizeBytes, 0);
      return { records, isEnd: open !== undefined && records.length < limit && bytes < largeAnswerBytes };
    },
  };
}
