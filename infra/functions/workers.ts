import { indexes } from '../../lib/table/schema.ts';
import {
  defaultTimeoutSeconds,
  type QueueName,
  type WorkerFunction,
  type WorkerRights,
} from './definition.ts';
import { changesOf, webhookNews } from './stream-filters.ts';

/** The functions that no client waits for: readers of the table's stream, consumers of queues, and what runs on a schedule. */
export const workerFunctions: readonly WorkerFunction[] = [
  {
    // What a commit sets off: it reads the table's stream and arms each target's next moment.
    name: 'relay',
    entry: 'functions/streams/relay.ts',
    trigger: {
      kind: 'table-stream',
      filters: changesOf('target'),
      harm: { late: 'Posts are armed late', lost: 'Commits have set off nothing' },
    },
    rights: {
      table: ['Query', 'GetItem', 'UpdateItem', 'PutItem', 'DeleteItem'],
      sends: ['publish', 'chain'],
      schedules: ['CreateSchedule', 'DeleteSchedule'],
    },
    timeoutSeconds: 60,
  },
  {
    // The stream's other reader: webhooks that fail or hang never hold up what publishing is waiting for.
    name: 'announce',
    entry: 'functions/streams/announce.ts',
    trigger: {
      kind: 'table-stream',
      filters: webhookNews,
      harm: { late: 'Webhooks are late', lost: 'Webhook events were not made' },
      // Half of the day for which a stream keeps its records: in the other half, what was given up can be read there.
      triedForHours: 12,
    },
    rights: { table: ['Query', 'PutItem', 'BatchWriteItem'], sends: ['webhook'] },
    settings: ['MEDIA_BASE_URL'],
    timeoutSeconds: 60,
  },
  {
    name: 'publish-target',
    entry: 'functions/consumers/publish-target.ts',
    // A batch is worked side by side and most of it is waiting: for the second, then for the platform. Ten at a time
    // let the five pollers that a quiet queue starts with take fifty posts that are due at the same moment.
    trigger: { kind: 'queue', queue: 'publish', batchSize: 10, limitedByStage: true },
    rights: {
      table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
      media: ['GetObject'],
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: true,
      sends: ['publish'],
      setsAside: true,
    },
    settings: ['MEDIA_BASE_URL'],
    // What it costs is its waiting, by the megabyte.
    memoryMegabytes: 256,
    timeoutSeconds: 300,
  },
  {
    name: 'run-chain',
    entry: 'functions/consumers/run-chain.ts',
    trigger: { kind: 'queue', queue: 'chain', batchSize: 10 },
    rights: {
      table: ['Query', 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    },
    timeoutSeconds: 30,
  },
  {
    name: 'media-arrived',
    entry: 'functions/consumers/complete-upload.ts',
    // One by one: a file that is made to be hard to look into holds up no other.
    trigger: { kind: 'queue', queue: 'mediaArrived', batchSize: 1 },
    rights: { table: ['GetItem', 'UpdateItem'], media: ['GetObject', 'DeleteObject', 'ListBucket'] },
    timeoutSeconds: 30,
  },
  {
    name: 'deliver-webhook',
    entry: 'functions/consumers/deliver-webhook.ts',
    // A batch is worked side by side: it takes as long as its slowest receiver, 10 s at most.
    trigger: { kind: 'queue', queue: 'webhook', batchSize: 10 },
    rights: { table: ['BatchGetItem', 'UpdateItem'], tokens: ['Decrypt signing'], sends: ['webhook'] },
    settings: ['WEBHOOK_PLAIN_HTTP_HOSTS'],
    // Most of it is waiting for receivers.
    memoryMegabytes: 256,
    timeoutSeconds: 30,
  },
  {
    name: 'take-inbound',
    entry: 'functions/consumers/ingest-delivery.ts',
    // A message is a delivery of a platform, with up to a thousand comments.
    trigger: { kind: 'queue', queue: 'inbound', batchSize: 5 },
    rights: { table: ['Query', 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'], sends: ['automation'] },
    timeoutSeconds: 60,
  },
  {
    name: 'run-automation',
    entry: 'functions/consumers/run-automation.ts',
    // A batch is worked side by side and most of it is waiting for the platform.
    trigger: { kind: 'queue', queue: 'automation', batchSize: 10 },
    rights: {
      table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: 'instagram',
      sends: ['automation'],
    },
    settings: ['PUBLIC_BASE_URL'],
    memoryMegabytes: 256,
    timeoutSeconds: 90,
  },
  {
    // Renews what is due a few at a time. What its time does not suffice for, the next turn goes on with.
    name: 'refresh-tokens',
    entry: 'functions/schedules/refresh-tokens.ts',
    trigger: { kind: 'rate', everyMinutes: 15, harm: 'Accounts will expire that need not' },
    rights: {
      table: ['BatchGetItem', 'UpdateItem'],
      indexes: [indexes.overdue.indexName],
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: true,
    },
    timeoutSeconds: 300,
  },
  // The net under the relay and the Scheduler: finds what should have happened by now and sends it on its way.
  sweeper('sweep', 'Nothing catches what the relay or the Scheduler lost', {
    table: ['BatchGetItem', 'GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['publish', 'chain'],
  }),
  sweeper('sweep-media', 'Deleted and outdated files are not removed', {
    table: ['BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    media: ['DeleteObject'],
  }),
  sweeper('sweep-actions', 'Replies and messages that wait are not sent', {
    table: ['BatchGetItem', 'UpdateItem'],
    sends: ['automation'],
  }),
  sweeper('sweep-deliveries', 'Webhooks are not tried again', {
    table: ['BatchGetItem', 'UpdateItem'],
    sends: ['webhook'],
  }),
];

/** Looks for what is overdue, every minute. */
function sweeper(name: string, harm: string, rights: WorkerRights): WorkerFunction {
  return {
    name,
    entry: `functions/schedules/${name}.ts`,
    trigger: { kind: 'rate', everyMinutes: 1, harm },
    rights: { ...rights, indexes: [indexes.overdue.indexName] },
    timeoutSeconds: 55,
  };
}

/**
 * The time limit of the function that takes a queue's messages: the queue hides a message for a multiple of it.
 *
 * @throws Error when no function does.
 */
export function consumerTimeoutSeconds(functions: readonly WorkerFunction[], queue: QueueName): number {
  const consumer = functions.find(({ trigger }) => trigger.kind === 'queue' && trigger.queue === queue);
  if (consumer === undefined) throw new Error(`no function consumes the queue ${queue}`);
  return consumer.timeoutSeconds ?? defaultTimeoutSeconds;
}
