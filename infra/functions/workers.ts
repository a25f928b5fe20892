import type { Partition } from '../../lib/table/partitions.ts';
import { indexes } from '../../lib/table/schema.ts';
import {
  defaultTimeoutSeconds,
  type QueueName,
  type WorkerFunction,
  type WorkerRights,
} from './definition.ts';
import { rendering } from './rendering.ts';
import { otherNews, targetNews, webhookNews } from './stream-filters.ts';

/** The partitions that the erasure of a workspace searches and deletes from. */
const erased = [
  'WORKSPACE#',
  'POST#',
  'CALENDAR#',
  'LIVE#',
  'MEDIA#',
  'USES#',
  'RENDITIONS#',
  'AUTOMATIONS#',
  'AUTOMATION-POST#',
  'AUTOMATION#',
  'INBOUND#',
  'CLICKS#',
  'PUNCTUALITY#',
  'NUMBERS#',
  'ACCOUNT-NUMBERS#',
  'DELIVERIES#',
  'FEED#',
  'OWNED#',
  'AUDIT#',
  'MEMBERS#',
  'RISKS#',
  'SEARCH#',
  'WORDS#',
] as const satisfies readonly Partition[];

/** The common part of both functions that deliver webhooks. */
const deliversWebhooks = {
  rights: {
    reads: { BatchGetItem: ['DELIVERIES#', 'WORKSPACE#', 'EVENT#'] },
    writes: { UpdateItem: ['DELIVERIES#', 'WORKSPACE#'] },
    tokens: ['Decrypt signing'],
    sends: ['webhook', 'slowWebhook'],
  },
  settings: ['PLAIN_HTTP_HOSTS'],
  // Mostly waits for receivers.
  memoryMegabytes: 256,
  timeoutSeconds: 30,
} as const satisfies Partial<WorkerFunction>;

/** The background functions: readers of the table's stream, consumers of queues, and periodic functions. */
export const workerFunctions: readonly WorkerFunction[] = [
  {
    // Runs the effects of each commit, such as scheduling a target's next wake.
    name: 'relay',
    entry: 'functions/streams/relay.ts',
    trigger: {
      kind: 'table-stream',
      filters: [...targetNews, ...otherNews],
      // The targets of a post are neighbours in a shard, but Lambda divides a shard by items. Only one batch at a time has all of
      // them, so that their post gets one roll-up.
      batchesAtOnce: 1,
      impact: {
        late: 'Posts are late because the relay is behind',
        lost: 'Effects of commits were not run, so posts may show an outdated status',
        group: 'publishing',
      },
    },
    rights: {
      reads: {
        GetItem: ['POST#', 'CALENDAR#', 'APP-DAY#', 'AUTOMATION-POST#', 'AUTOMATIONS#'],
        Query: ['POST#'],
        ConditionCheckItem: ['POST#'],
      },
      writes: {
        PutItem: ['CHORE#', 'APP-DAY#', 'RISKS#', 'STAGE-RISKS', 'NUMBERS#'],
        UpdateItem: ['POST#', 'EXTERNAL#', 'LIVE#', 'PUNCTUALITY#', 'AUTOMATIONS#'],
        DeleteItem: ['CALENDAR#', 'APP-DAY#', 'RISKS#'],
      },
      sends: ['publish', 'upload', 'distantWake', 'chain', 'import'],
    },
    settings: ['DAILY_LIMITS', 'PLATFORM_FEATURES'],
    // In a bulk it waits for its processor, of which memory decides the share: `npm run bench -- relay`.
    memoryMegabytes: 1_024,
    timeoutSeconds: 60,
  },
  {
    // Creates and deletes the schedules of distant wakes. The relay does not wait for Scheduler, because a bulk of distant posts
    // would hold up the shard. The limit is 100 requests at once, some 1,000 to 2,000 per second.
    name: 'keep-schedules',
    entry: 'functions/consumers/keep-schedules.ts',
    trigger: {
      kind: 'queue',
      queue: 'distantWake',
      batchSize: 10,
      concurrencyPercent: 1,
      maximumConcurrency: 10,
    },
    rights: {
      writes: { PutItem: ['CHORE#'] },
      sends: ['publish', 'upload'],
      schedules: ['CreateSchedule', 'DeleteSchedule'],
    },
    // Mostly waits for Scheduler.
    memoryMegabytes: 256,
    timeoutSeconds: 30,
  },
  {
    // Reads the stream separately from the relay, so that problems with webhooks never delay publishing. It also keeps the index of
    // the search: a stream takes two readers.
    name: 'announce',
    entry: 'functions/streams/announce.ts',
    trigger: {
      kind: 'table-stream',
      filters: webhookNews,
      impact: { late: 'Webhooks are late', lost: 'Webhook events were not created', group: 'background' },
      // The stream keeps records for 24 hours. Giving up after 12 leaves operators 12 hours to read the record there.
      triedForHours: 12,
    },
    rights: {
      reads: {
        Query: ['WORKSPACE#', 'POST#'],
        // Of an account: its names, for endpoints with another form of events.
        GetItem: ['FEED-HEAD#', 'SEARCH#', 'WORKSPACE#'],
        BatchGetItem: ['EVENT#', 'FEED-HEAD#'],
      },
      writes: {
        PutItem: ['EVENT#', 'FEED#', 'DELIVERIES#', 'SEARCH#', 'CHORE#'],
        UpdateItem: ['EVENT#', 'FEED-HEAD#', 'SEARCH#'],
        DeleteItem: ['SEARCH#'],
        BatchWriteItem: ['DELIVERIES#', 'WORDS#'],
      },
      sends: ['webhook'],
    },
    settings: ['MEDIA_BASE_URL', 'PLATFORM_FEATURES'],
    timeoutSeconds: 60,
  },
  {
    name: 'publish-target',
    entry: 'functions/consumers/publish-target.ts',
    // The targets of a batch are worked concurrently and mostly wait: for the due second, then for the platform. The five pollers
    // that Lambda starts on a quiet queue can take 25 targets due at the same moment.
    trigger: { kind: 'queue', queue: 'publish', batchSize: 5, concurrencyPercent: 30 },
    rights: {
      reads: {
        GetItem: ['POST#', 'LIVE#', 'WORKSPACE#', 'PAUSE#'],
        BatchGetItem: ['POST#', 'MEDIA#', 'RENDITIONS#', 'WORKSPACE#', 'PAUSE#'],
        Query: ['POST#', 'APP-DAY#', 'RENDITIONS#'],
        ConditionCheckItem: ['MEDIA#'],
      },
      writes: {
        PutItem: ['CHORE#', 'RENDITIONS#'],
        UpdateItem: ['POST#', 'LIVE#', 'WORKSPACE#', 'RENDITIONS#'],
      },
      media: ['GetObject media'],
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: true,
      sends: ['publish', 'renderMedia'],
      sendsToDeadLettersOf: 'publish',
    },
    settings: ['MEDIA_BASE_URL', 'DAILY_LIMITS', 'PLAIN_HTTP_HOSTS'],
    // Mostly waits, which Lambda bills by memory.
    memoryMegabytes: 256,
    timeoutSeconds: 300,
  },
  {
    name: 'upload-target',
    entry: 'functions/consumers/upload-target.ts',
    // One target per batch: sending a large file takes minutes, and all messages of a batch end together. It never makes the last
    // call, so it cannot claim a live post. It also deletes uploads that were not published.
    trigger: { kind: 'queue', queue: 'upload', batchSize: 1, concurrencyPercent: 10 },
    rights: {
      reads: {
        GetItem: ['POST#', 'WORKSPACE#', 'PAUSE#', 'CHORE#'],
        BatchGetItem: ['POST#', 'MEDIA#', 'RENDITIONS#', 'WORKSPACE#', 'PAUSE#'],
        Query: ['APP-DAY#', 'RENDITIONS#'],
        ConditionCheckItem: ['MEDIA#'],
      },
      writes: {
        PutItem: ['CHORE#', 'RENDITIONS#'],
        UpdateItem: ['POST#', 'WORKSPACE#', 'RENDITIONS#'],
        DeleteItem: ['CHORE#'],
      },
      media: ['GetObject media'],
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: true,
      sends: ['upload', 'renderMedia'],
      sendsToDeadLettersOf: 'upload',
    },
    settings: ['MEDIA_BASE_URL', 'DAILY_LIMITS', 'PLAIN_HTTP_HOSTS'],
    // The longest that Lambda allows: Pinterest takes a video in one request only.
    timeoutSeconds: 900,
    memoryMegabytes: 512,
  },
  {
    name: 'run-chain',
    entry: 'functions/consumers/run-chain.ts',
    trigger: { kind: 'queue', queue: 'chain', batchSize: 10, concurrencyPercent: 2 },
    rights: {
      reads: {
        GetItem: ['POST#', 'CALENDAR#'],
        BatchGetItem: ['WORKSPACE#', 'MEDIA#'],
        Query: ['POST#'],
      },
      writes: {
        PutItem: ['POST#', 'CALENDAR#', 'USES#', 'CHORE#'],
        UpdateItem: ['POST#'],
        DeleteItem: ['CALENDAR#', 'CHORE#'],
        BatchWriteItem: ['USES#'],
      },
    },
    settings: ['PLAIN_HTTP_HOSTS'],
    // Posts with links wait for their pages.
    timeoutSeconds: 60,
  },
  {
    name: 'complete-upload',
    entry: 'functions/consumers/complete-upload.ts',
    // One file per batch, so that a file that is slow to probe (perhaps on purpose) does not delay others.
    trigger: { kind: 'queue', queue: 'mediaArrived', batchSize: 1, concurrencyPercent: 5 },
    rights: {
      reads: { GetItem: ['MEDIA#'] },
      writes: { UpdateItem: ['MEDIA#', 'WORKSPACE#'] },
      media: [
        'GetObject incoming',
        'DeleteObject incoming',
        'AbortMultipartUpload incoming',
        'GetObject media',
        'PutObject media',
        'DeleteObject media',
        'ListBucket',
      ],
    },
    // S3 copies an accepted file of 1 GiB in seconds; see `copyTimeoutMs` in `lib/aws/bucket.ts`.
    timeoutSeconds: 45,
  },
  {
    name: 'import-media',
    entry: 'functions/consumers/import-media.ts',
    // One file per batch, because a large file takes minutes. The limit bounds what all users together can make Herald
    // send to other servers.
    trigger: { kind: 'queue', queue: 'import', batchSize: 1, concurrencyPercent: 5, maximumConcurrency: 50 },
    rights: {
      reads: { GetItem: ['MEDIA#'] },
      writes: { UpdateItem: ['MEDIA#', 'WORKSPACE#'] },
      media: ['PutObject incoming', 'AbortMultipartUpload incoming'],
      sends: ['import'],
    },
    settings: ['PLAIN_HTTP_HOSTS'],
    // The longest that Lambda allows. Memory decides the share of a processor, and parts of 8 MiB are signed and encrypted.
    timeoutSeconds: 900,
    memoryMegabytes: 1_024,
  },
  {
    // Makes renditions of files. Decoders run in a process that it starts.
    name: 'render-media',
    entry: 'functions/consumers/render-media.ts',
    ...rendering,
    // One file per batch, because a large video takes a minute.
    trigger: {
      kind: 'queue',
      queue: 'renderMedia',
      batchSize: 1,
      concurrencyPercent: 3,
      maximumConcurrency: 30,
    },
    rights: {
      reads: { GetItem: ['RENDITIONS#', 'MEDIA#'] },
      writes: { UpdateItem: ['RENDITIONS#'] },
      media: ['GetObject media', 'PutObject media', 'DeleteObject media', 'ListBucket'],
    },
    // A picture of 110 megapixels takes up to 1 GB: `npm run bench -- renditions`. Accounts begin with a limit of 3,008.
    memoryMegabytes: 3_008,
    // The original and the rendition: 1 GiB each at most.
    temporaryMegabytes: 2_560,
    timeoutSeconds: 300,
  },
  {
    name: 'deliver-webhook',
    entry: 'functions/consumers/deliver-webhook.ts',
    // The messages of a batch are processed concurrently, so a batch takes as long as its slowest receiver: about 2 s at most,
    // because attempts that take longer are left to the function below.
    trigger: { kind: 'queue', queue: 'webhook', batchSize: 10, concurrencyPercent: 10 },
    ...deliversWebhooks,
  },
  {
    // Attempts to endpoints that respond slowly or never, 10 s at most. They share only these few environments.
    name: 'deliver-slow-webhook',
    entry: 'functions/consumers/deliver-slow-webhook.ts',
    trigger: { kind: 'queue', queue: 'slowWebhook', batchSize: 10, concurrencyPercent: 3 },
    ...deliversWebhooks,
  },
  {
    name: 'ingest-delivery',
    entry: 'functions/consumers/ingest-delivery.ts',
    // A message is one call of a platform's webhook, with up to a thousand comments.
    trigger: { kind: 'queue', queue: 'inbound', batchSize: 5, concurrencyPercent: 2 },
    rights: {
      reads: {
        GetItem: ['AUTOMATION-POST#', 'INBOUND#'],
        BatchGetItem: ['WORKSPACE#', 'AUTOMATION#', 'AUTOMATION-POST#', 'AUTOMATIONS#', 'POST#'],
        Query: ['PLATFORM#', 'AUTOMATION-POST#'],
      },
      writes: { PutItem: ['INBOUND#', 'AUTOMATION#'], UpdateItem: ['AUTOMATION#'] },
      sends: ['automation'],
    },
    timeoutSeconds: 60,
  },
  {
    name: 'run-automation',
    entry: 'functions/consumers/run-automation.ts',
    // The messages of a batch are processed concurrently and mostly wait for the platform.
    trigger: { kind: 'queue', queue: 'automation', batchSize: 10, concurrencyPercent: 4 },
    rights: {
      reads: {
        GetItem: [
          'AUTOMATION#',
          'WORKSPACE#',
          'SENT#',
          'INBOUND#',
          'AUTOMATION-POST#',
          'AUTOMATIONS#',
          'POST#',
        ],
        BatchGetItem: ['AUTOMATIONS#', 'WORKSPACE#', 'PAUSE#', 'AUTOMATION-POST#', 'POST#'],
        Query: ['AUTOMATION-POST#'],
      },
      writes: {
        PutItem: ['AUTOMATION#', 'AUTOMATION-POST#', 'INBOUND#'],
        UpdateItem: [
          'AUTOMATION#',
          'AUTOMATIONS#',
          'AUTOMATION-POST#',
          'INBOUND#',
          'WORKSPACE#',
          'PRIVATE-REPLIES#',
          'SENT#',
        ],
        DeleteItem: ['AUTOMATION-POST#'],
      },
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: 'instagram',
      sends: ['automation'],
    },
    settings: ['LINK_BASE_URL', 'PLATFORM_FEATURES'],
    memoryMegabytes: 256,
    timeoutSeconds: 90,
  },
  {
    // Refreshes the tokens that are due, a few concurrently. The next run continues with those that did not fit in. Also tells
    // workspaces which version of a platform's API ends soon.
    name: 'refresh-tokens',
    entry: 'functions/schedules/refresh-tokens.ts',
    trigger: { kind: 'rate', everyMinutes: 15, impact: 'Token refresh is failing' },
    rights: {
      reads: {
        BatchGetItem: ['WORKSPACE#'],
        GetItem: ['VERSIONS'],
        Query: ['DIRECTORY', 'WORKSPACE#'],
      },
      writes: { UpdateItem: ['WORKSPACE#'], PutItem: ['WORKSPACE#', 'VERSIONS'] },
      indexes: [indexes.overdue.indexName],
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: true,
    },
    timeoutSeconds: 300,
  },
  {
    // Erases the workspaces that were deleted 30 days ago, in steps that the next run continues. It deletes items one by one:
    // the right to BatchWriteItem would include the right to write any item.
    name: 'erase-workspaces',
    entry: 'functions/schedules/erase-workspaces.ts',
    trigger: { kind: 'rate', everyMinutes: 60, impact: 'Deleted workspaces are not erased' },
    rights: {
      reads: {
        GetItem: ['WORKSPACE#', 'FEED-HEAD#'],
        BatchGetItem: ['WORKSPACE#'],
        Query: [...erased, 'PLATFORM#', 'LOGIN#'],
      },
      writes: {
        PutItem: ['AUDIT#'],
        UpdateItem: ['WORKSPACE#'],
        DeleteItem: [
          ...erased,
          ...([
            'PLATFORM#',
            'LOGIN#',
            'DIRECTORY',
            'KEY-USE#',
            'GRANT#',
            'APP-DAY#',
            'IDEMPOTENCY#',
            'EXTERNAL#',
            'PERSON#',
            'INVITED#',
          ] as const),
          ...(['EVENT#', 'FEED-HEAD#', 'REPLAY#', 'LINK#', 'PAUSE#', 'PAUSES', 'CHORE#'] as const),
        ],
      },
      indexes: [indexes.overdue.indexName, indexes.postsNewestFirst.indexName],
      media: ['ListBucket', 'DeleteObject incoming', 'DeleteObject media'],
      invalidatesMedia: true,
      tokens: ['Decrypt tokens'],
      platformSecrets: true,
    },
    timeoutSeconds: 600,
  },
  {
    // Reads the numbers of posts that are due, a few accounts at the same time, and those of accounts once a day. The next run
    // continues with what did not fit in.
    name: 'read-numbers',
    entry: 'functions/schedules/read-numbers.ts',
    trigger: { kind: 'rate', everyMinutes: 15, impact: 'Numbers of posts are not read' },
    rights: {
      reads: {
        GetItem: ['NUMBERS#', 'NUMBERS-PROGRESS', 'POST#', 'WORKSPACE#'],
        BatchGetItem: ['NUMBERS#', 'ACCOUNT-NUMBERS#', 'WORKSPACE#'],
        Query: ['DIRECTORY', 'WORKSPACE#'],
      },
      writes: {
        PutItem: ['NUMBERS-PROGRESS'],
        UpdateItem: ['NUMBERS#', 'ACCOUNT-NUMBERS#', 'NUMBERS-PROGRESS', 'POST#', 'WORKSPACE#'],
      },
      indexes: [indexes.overdue.indexName],
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: true,
    },
    settings: ['PLATFORM_FEATURES'],
    // Mostly waits for the platforms.
    memoryMegabytes: 256,
    timeoutSeconds: 600,
  },
  // Finds overdue wakes, chains and repairs that the relay, Scheduler or a queue lost, and sends or runs them again.
  // With 1,769 MB it has one processor, so that it drains a backlog of more than 10,000 targets a minute.
  {
    ...sweeper('sweep', 'Overdue posts are not recovered', {
      reads: {
        GetItem: ['POST#', 'CALENDAR#', 'APP-DAY#', 'NUMBERS#', 'PAUSE#', 'WATCH', 'SEARCH#'],
        BatchGetItem: ['POST#', 'CHORE#'],
        Query: ['POST#', 'NUMBERS#', 'ACCOUNT-NUMBERS#'],
        ConditionCheckItem: ['POST#'],
      },
      writes: {
        PutItem: ['APP-DAY#', 'WATCH', 'RISKS#', 'NUMBERS#', 'SEARCH#'],
        UpdateItem: ['POST#', 'CHORE#', 'EXTERNAL#', 'LIVE#', 'NUMBERS#', 'PUNCTUALITY#', 'SEARCH#'],
        DeleteItem: ['CHORE#', 'CALENDAR#', 'APP-DAY#', 'RISKS#', 'NUMBERS#', 'ACCOUNT-NUMBERS#', 'SEARCH#'],
        BatchWriteItem: ['WORDS#'],
      },
      sends: ['publish', 'upload', 'chain'],
      schedules: ['CreateSchedule'],
    }),
    memoryMegabytes: 1_769,
  },
  // Checks waiting posts a day and some two hours ahead, and when something happens to what they need. Mostly waits for the table and
  // for platforms, but applies the rules of platforms to thousands of posts of a full hour.
  {
    ...sweeper('check-ahead', 'Posts at risk are not announced', {
      reads: {
        GetItem: ['RISKS#', 'STAGE-RISKS', 'WORKSPACE#'],
        BatchGetItem: ['POST#', 'WORKSPACE#', 'MEDIA#', 'RISKS#', 'STAGE-RISKS'],
        Query: ['POST#', 'CALENDAR#', 'USES#', 'APP-DAY#', 'PAUSES'],
      },
      writes: {
        PutItem: ['STAGE-RISKS'],
        UpdateItem: ['POST#', 'WORKSPACE#', 'RISKS#', 'STAGE-RISKS'],
        DeleteItem: ['RISKS#', 'STAGE-RISKS'],
      },
      tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
      platformSecrets: true,
    }),
    settings: ['DAILY_LIMITS', 'PLATFORM_FEATURES'],
    memoryMegabytes: 512,
  },
  sweeper('sweep-media', 'Deleted and expired files are not removed', {
    reads: { BatchGetItem: ['MEDIA#', 'POST#'], Query: ['USES#', 'POST#', 'RENDITIONS#'] },
    writes: {
      UpdateItem: ['MEDIA#', 'WORKSPACE#'],
      DeleteItem: ['MEDIA#', 'RENDITIONS#'],
      BatchWriteItem: ['USES#'],
    },
    media: ['DeleteObject incoming', 'AbortMultipartUpload incoming', 'DeleteObject media'],
    invalidatesMedia: true,
    sends: ['import'],
  }),
  {
    ...sweeper('sweep-actions', 'Delayed replies and messages are not sent', {
      reads: {
        BatchGetItem: ['AUTOMATION#', 'INBOUND#', 'AUTOMATION-POST#', 'AUTOMATIONS#', 'WORKSPACE#', 'PAUSE#'],
      },
      writes: { UpdateItem: ['AUTOMATION#', 'INBOUND#', 'AUTOMATION-POST#'], DeleteItem: ['INBOUND#'] },
      sends: ['automation'],
    }),
    settings: ['PLATFORM_FEATURES'],
  },
  sweeper('sweep-withdrawals', 'Requests to delete data are not done', {
    reads: {
      GetItem: ['WORKSPACE#'],
      BatchGetItem: ['WITHDRAWAL#'],
      Query: ['LOGIN#', 'PLATFORM#', 'INBOUND#'],
    },
    writes: {
      PutItem: ['CHORE#'],
      UpdateItem: ['WITHDRAWAL#', 'WORKSPACE#', 'OWNED#'],
      DeleteItem: ['WORKSPACE#', 'LOGIN#', 'PLATFORM#', 'OWNED#'],
      BatchWriteItem: ['INBOUND#'],
    },
  }),
  sweeper('sweep-deliveries', 'Webhooks are not retried', {
    reads: {
      GetItem: ['WORKSPACE#', 'FEED#'],
      BatchGetItem: ['DELIVERIES#', 'REPLAY#', 'WORKSPACE#', 'FEED-HEAD#'],
      Query: ['FEED#'],
    },
    writes: {
      PutItem: ['DELIVERIES#'],
      UpdateItem: ['DELIVERIES#', 'REPLAY#'],
      DeleteItem: ['REPLAY#'],
    },
    sends: ['webhook', 'slowWebhook'],
  }),
];

/** Defines a function that looks for overdue work every minute. Its timeout ends a run before the next one starts. */
function sweeper(name: string, impact: string, rights: WorkerRights): WorkerFunction {
  return {
    name,
    entry: `functions/schedules/${name}.ts`,
    trigger: { kind: 'rate', everyMinutes: 1, impact },
    rights: { ...rights, indexes: [indexes.overdue.indexName] },
    timeoutSeconds: 55,
  };
}

/**
 * Returns the timeout of the function that consumes a queue. The queue's visibility timeout is a multiple of it.
 *
 * @throws Error if no function consumes the queue
 */
export function consumerTimeoutSeconds(functions: readonly WorkerFunction[], queue: QueueName): number {
  const consumer = functions.find(({ trigger }) => trigger.kind === 'queue' && trigger.queue === queue);
  if (consumer === undefined) throw new Error(`no function consumes the queue ${queue}`);
  return consumer.timeoutSeconds ?? defaultTimeoutSeconds;
}
