import { unmarshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  AttributeValue as StreamValue,
} from 'aws-lambda';
import { openQueue, openTenantQueue } from '../../lib/aws/queue.ts';
import { openSchedules } from '../../lib/aws/schedules.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import type { Measurement } from '../../lib/metrics/measurements.ts';
import type { ChainMessage } from '../../lib/posts/chain/schemas.ts';
import { measurementsOf } from '../../lib/publishing/measurements.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import { type RelayPorts, relayChange, type TargetChange } from '../../lib/publishing/relay/relay.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { openTable } from '../../lib/table/table.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { environment } from '../environment.ts';
import { logger, withLogKeys } from '../logger.ts';
import { record as recordMetrics } from '../metrics.ts';

const env = environment(
  'TABLE_NAME',
  'PUBLISH_QUEUE_URL',
  'PUBLISH_QUEUE_ARN',
  'CHAIN_QUEUE_URL',
  'SCHEDULE_GROUP',
  'SCHEDULE_ROLE_ARN',
  'SCHEDULE_DEAD_LETTER_ARN',
  'STREAM_DEAD_LETTER_URL',
);

const schedules = openSchedules({
  groupName: env.SCHEDULE_GROUP,
  roleArn: env.SCHEDULE_ROLE_ARN,
  queueArn: env.PUBLISH_QUEUE_ARN,
  deadLetterArn: env.SCHEDULE_DEAD_LETTER_ARN,
});
const deadLetters = openQueue(env.STREAM_DEAD_LETTER_URL);
const ports: RelayPorts = {
  table: openTable(env.TABLE_NAME),
  now: systemClock,
  enqueue: openTenantQueue<PublishMessage>(env.PUBLISH_QUEUE_URL).send,
  enqueueChain: openTenantQueue<ChainMessage>(env.CHAIN_QUEUE_URL).send,
  setAside: async (effect) => {
    logger.error('left to the sweep', { ...effect });
    await deadLetters.send(effect);
  },
  schedule: (message, atMs) => schedules.create(scheduleName(message), message, atMs),
  unschedule: (message) => schedules.remove(scheduleName(message)),
};

/**
 * Sets off what follows a commit. The stream tells of every change at least once; what cannot be carried out now is
 * told again, from the first record that failed, and after ten minutes left to the sweep. A record that cannot even be
 * read would hold up all that come after it, so it goes to the dead letters at once.
 */
export const handler = middy<DynamoDBStreamEvent, DynamoDBBatchResponse, Error, Context>().handler(
  async ({ Records }) => {
    const outcomes = await Promise.allSettled(Records.map(relayRecord));
    const failed = outcomes.findIndex(({ status }) => status === 'rejected');
    // What is told again from there on is measured then.
    const done = failed < 0 ? outcomes : outcomes.slice(0, failed);
    recordMetrics(done.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])));
    if (failed < 0) return { batchItemFailures: [] };
    return { batchItemFailures: [{ itemIdentifier: Records[failed]?.dynamodb?.SequenceNumber ?? '' }] };
  },
);

/** What the change says of how well the service does, once all that follows from it is carried out. */
async function relayRecord(record: DynamoDBRecord): Promise<readonly Measurement[]> {
  let change: TargetChange;
  try {
    change = changeOf(record);
  } catch (error) {
    logger.error('a change cannot be read', { error: error as Error, eventId: record.eventID });
    await deadLetters.send(record);
    return [];
  }
  const { workspaceId, postId, accountId, attempt } = change.after ?? change.before ?? {};
  return withLogKeys({ workspaceId, postId, accountId, attempt }, async () => {
    try {
      await relayChange(change, ports);
    } catch (error) {
      logger.error('a change was not relayed', error as Error);
      throw error;
    }
    return measurementsOf(change.before, change.after);
  });
}

function changeOf({ dynamodb }: DynamoDBRecord): TargetChange {
  return {
    before: targetImage(dynamodb?.OldImage),
    after: targetImage(dynamodb?.NewImage),
    atMs: (dynamodb?.ApproximateCreationDateTime ?? 0) * secondMs,
  };
}

/** The stream's filter lets through targets only; a deletion has no new image, an insertion no old one. */
function targetImage(image: Record<string, StreamValue> | undefined) {
  return image && targetFromItem(unmarshall(image as Parameters<typeof unmarshall>[0]));
}
