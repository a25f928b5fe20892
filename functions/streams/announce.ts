import { unmarshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  AttributeValue as StreamValue,
} from 'aws-lambda';
import { measurementsOfAccount } from '../../lib/accounts/store.ts';
import { openQueue, openTenantQueue } from '../../lib/aws/queue.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import type { Measurement } from '../../lib/metrics/measurements.ts';
import { openTable } from '../../lib/table/table.ts';
import { announce } from '../../lib/webhooks/events/announce.ts';
import { causeOf, type EventCause, type ItemChange } from '../../lib/webhooks/events/events-from-changes.ts';
import type { WebhookMessage } from '../../lib/webhooks/schemas.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';
import { record as recordMetrics } from '../metrics.ts';

const env = environment('TABLE_NAME', 'MEDIA_BASE_URL', 'WEBHOOK_QUEUE_URL', 'STREAM_DEAD_LETTER_URL');

const ports = {
  table: openTable(env.TABLE_NAME),
  now: systemClock,
  sendAll: openTenantQueue<WebhookMessage>(env.WEBHOOK_QUEUE_URL).sendAll,
};
const deadLetters = openQueue(env.STREAM_DEAD_LETTER_URL);

interface Told {
  readonly sequenceNumber: string;
  readonly cause: EventCause;
  readonly measurements: readonly Measurement[];
}

/**
 * Makes webhook events of commits. The stream tells of every change at least once; what cannot be stored or sent now is
 * told again, from the first record that failed. A record that cannot be read would hold up all that come after it, so
 * it goes to the dead letters at once.
 */
export const handler = middy<DynamoDBStreamEvent, DynamoDBBatchResponse, Error, Context>().handler(
  async ({ Records }) => {
    const told = (await Promise.all(Records.map(read))).flat();
    const outcomes = await announce(
      ports,
      told.map(({ cause }) => cause),
    );
    const failed = outcomes.findIndex(({ status }) => status === 'rejected');
    // What is told again from there on is measured then.
    const done = failed < 0 ? told : told.slice(0, failed);
    recordMetrics(done.flatMap(({ measurements }) => measurements));
    if (failed < 0) return { batchItemFailures: [] };
    const { cause, sequenceNumber = '' } = told[failed] ?? {};
    const { reason } = outcomes[failed] as PromiseRejectedResult;
    logger.error('an event was not announced', {
      error: reason as Error,
      workspaceId: cause?.workspaceId,
      webhookEventId: cause?.id,
      type: cause?.type,
    });
    return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
  },
);

/** Nothing where the record is no event, or cannot be read. */
async function read(record: DynamoDBRecord): Promise<readonly Told[]> {
  try {
    const change = changeOf(record);
    const cause = causeOf(change, env.MEDIA_BASE_URL);
    const measurements = measurementsOfAccount(change);
    return cause ? [{ sequenceNumber: change.sequenceNumber, cause, measurements }] : [];
  } catch (error) {
    logger.error('a change cannot be read', { error: error as Error, eventId: record.eventID });
    await deadLetters.send(record);
    return [];
  }
}

function changeOf({ dynamodb }: DynamoDBRecord): ItemChange {
  return {
    before: image(dynamodb?.OldImage),
    after: image(dynamodb?.NewImage),
    atMs: (dynamodb?.ApproximateCreationDateTime ?? 0) * secondMs,
    sequenceNumber: dynamodb?.SequenceNumber ?? '',
  };
}

function image(values: Record<string, StreamValue> | undefined) {
  return values && unmarshall(values as Parameters<typeof unmarshall>[0]);
}
