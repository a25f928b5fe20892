import { openSealingKeys } from '../../lib/accounts/sealing-keys.ts';
import { Vault } from '../../lib/accounts/vault.ts';
import type { AutomationMessage } from '../../lib/automations/schemas.ts';
import {
  type Bucket,
  openBucket,
  smallObjectPutter,
  type UploadSigner,
  uploadSigner,
} from '../../lib/aws/bucket.ts';
import { openDataKeys } from '../../lib/aws/data-keys.ts';
import {
  type ClientUploads,
  openClientUploads,
  openPartUploads,
  type PartUploads,
} from '../../lib/aws/part-uploads.ts';
import {
  openQueue,
  openTenantQueue,
  type Queue,
  type ReceiveAgain,
  type ReportRefused,
  receivingAgain,
  sendingTogether,
  type TenantQueue,
} from '../../lib/aws/queue.ts';
import { guardSchedules } from '../../lib/aws/scheduler-guard.ts';
import { openSchedules, type Schedules } from '../../lib/aws/schedules.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import type { ImportMessage } from '../../lib/media/imports/schemas.ts';
import type { PreviewContext } from '../../lib/media/preview.ts';
import type { RenditionMessage } from '../../lib/media/renditions/schemas.ts';
import type { ChainMessage } from '../../lib/posts/stored/chain-schemas.ts';
import type { PublishMessage, WakeQueue } from '../../lib/publishing/message.ts';
import type { DistantWake } from '../../lib/publishing/relay/keep-schedule.ts';
import { joinWakeQueues } from '../../lib/publishing/wake-queues.ts';
import { readingTogether } from '../../lib/table/read-together.ts';
import { readRetention } from '../../lib/table/retention.ts';
import { openTable, type Table } from '../../lib/table/table.ts';
import { type WebhookMessage, webhookGroup } from '../../lib/webhooks/schemas.ts';
import { logger, reportItem } from './logger.ts';
import type { Wire } from './start.ts';

const reportRefused: ReportRefused = ({ messages, reason }) =>
  logger.warn('a queue did not accept messages', {
    messages,
    ...(reason instanceof Error ? { error: reason } : { reason: String(reason) }),
  });

// Each wire opens its own client, so that a bundle contains only the clients that its function uses.

export const table: Wire<Table> = (environment) => ({
  ...openTable(environment('TABLE_NAME')),
  retention: readRetention(JSON.parse(environment('RETENTION_DAYS', '{}'))),
  report: reportItem('an item cannot be read'),
});

/** The table for a worker of several messages, which batches their reads. */
export const sharedTable: Wire<Table> = (environment) => readingTogether(table(environment));

export const bucket: Wire<Bucket> = (environment) => openBucket(environment('MEDIA_BUCKET'));

/** Describes an object of the bucket. */
export const describeObject: Wire<Bucket['describe']> = (environment) => bucket(environment).describe;

export const signUpload: Wire<UploadSigner> = (environment) => uploadSigner(environment('MEDIA_BUCKET'));

/** Uploads whose parts clients send. */
export const clientUploads: Wire<ClientUploads> = (environment) =>
  openClientUploads(environment('MEDIA_BUCKET'));
export const putNewObject: Wire<PreviewContext['putNewObject']> = (environment) =>
  smallObjectPutter(environment('MEDIA_BUCKET'));

/** Writes fetched files to the place where uploads arrive. */
export const partUploads: Wire<PartUploads> = (environment) => openPartUploads(environment('MEDIA_BUCKET'));

/** Seals and opens platform tokens and the signing secrets of webhooks. Opens tokens sealed in either way. */
export const vault: Wire<Vault> = (environment) => {
  const isShared = environment('TOKEN_KEYS', 'own') === 'shared';
  const sealingKeys = isShared ? openSealingKeys(table(environment), systemClock) : undefined;
  return new Vault(openDataKeys(environment('TOKEN_KEY_ID')), systemClock, sealingKeys);
};

/** One-off schedules that send the messages of wakes. */
export const schedules: Wire<Schedules> = (environment) =>
  guardSchedules(
    openSchedules({
      groupName: environment('SCHEDULE_GROUP'),
      roleArn: environment('SCHEDULE_ROLE_ARN'),
      deadLetterArn: environment('SCHEDULE_DEAD_LETTER_ARN'),
    }),
    systemClock,
  );

/** URLs of the queues that schedules send to. */
export const scheduledQueues: Wire<Readonly<Record<WakeQueue, string>>> = (environment) => ({
  publish: environment('PUBLISH_QUEUE_URL'),
  upload: environment('UPLOAD_QUEUE_URL'),
});

export const publishQueue: Wire<TenantQueue<PublishMessage>> = (environment) =>
  sendingTogether(openTenantQueue(environment('PUBLISH_QUEUE_URL'), { reportRefused }));

export const uploadQueue: Wire<TenantQueue<PublishMessage>> = (environment) =>
  sendingTogether(openTenantQueue(environment('UPLOAD_QUEUE_URL'), { reportRefused }));

/** Sends each wake to the queue that it names. */
export const wakeQueues: Wire<TenantQueue<PublishMessage>> = (environment) =>
  joinWakeQueues({ publish: publishQueue(environment), upload: uploadQueue(environment) });

/** The queue of wakes that need a schedule, or whose schedule is out of date. */
export const distantWakeQueue: Wire<TenantQueue<DistantWake>> = (environment) =>
  sendingTogether(openTenantQueue(environment('DISTANT_WAKE_QUEUE_URL'), { reportRefused }));

export const chainQueue: Wire<TenantQueue<ChainMessage>> = (environment) =>
  openTenantQueue(environment('CHAIN_QUEUE_URL'), { reportRefused });

export const importQueue: Wire<TenantQueue<ImportMessage>> = (environment) =>
  openTenantQueue(environment('IMPORT_QUEUE_URL'), { reportRefused });

/** The queue of renditions to make. */
export const renderMediaQueue: Wire<TenantQueue<RenditionMessage>> = (environment) =>
  openTenantQueue(environment('RENDER_MEDIA_QUEUE_URL'), { reportRefused });

export const webhookQueue: Wire<TenantQueue<WebhookMessage>> = (environment) =>
  openTenantQueue(environment('WEBHOOK_QUEUE_URL'), { reportRefused });

/** The queue of attempts to endpoints that respond slowly. */
export const slowWebhookQueue: Wire<TenantQueue<WebhookMessage>> = (environment) =>
  openTenantQueue(environment('SLOW_WEBHOOK_QUEUE_URL'), { reportRefused, groupOf: webhookGroup });

/** Sends the messages of deliveries that are due. */
export const sendWebhooks: Wire<TenantQueue<WebhookMessage>['sendAll']> = (environment) =>
  webhookQueue(environment).sendAll;

export const automationQueue: Wire<TenantQueue<AutomationMessage>> = (environment) =>
  openTenantQueue(environment('AUTOMATION_QUEUE_URL'), { reportRefused });

/** The queue of platforms' webhook deliveries that wait to be ingested. */
export const inboundQueue: Wire<Queue> = (environment) => openQueue(environment('INBOUND_QUEUE_URL'));

export const publishDeadLetters: Wire<Queue> = (environment) =>
  openQueue(environment('PUBLISH_DEAD_LETTER_URL'));

export const uploadDeadLetters: Wire<Queue> = (environment) =>
  openQueue(environment('UPLOAD_DEAD_LETTER_URL'));

/**
 * The queue whose messages the function consumes. A deployment may change the code before the variables: without its URL, a message
 * that cannot be read waits for the visibility timeout.
 */
export const receiveAgain: Wire<ReceiveAgain> = (environment) =>
  receivingAgain(environment('CONSUMED_QUEUE_URL', ''));

/** The dead-letter queue of a function that reads the table's stream. */
export const streamDeadLetters: Wire<Queue> = (environment) =>
  openQueue(environment('STREAM_DEAD_LETTER_URL'));
