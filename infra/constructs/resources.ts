import type { SharedQueue } from '../../lib/api-contract/rights.ts';
import type { SentQueue } from '../functions/definition.ts';

/** What functions work with, by name and ARN: enough to allow it and to tell them where it is. */
export interface DataResources {
  readonly tableName: string;
  readonly tableArn: string;
  readonly tableStreamArn: string;
  readonly mediaBucketName: string;
  readonly mediaBucketArn: string;
  /** `https://<domain>` of the distribution in front of the bucket. */
  readonly mediaBaseUrl: string;
  readonly tokenKeyId: string;
  readonly tokenKeyArn: string;
  /** `/herald/<stage>/platforms`; below it one SecureString a platform. */
  readonly platformParameterPrefix: string;
  readonly queues: Readonly<Record<SharedQueue, QueueAddress>>;
}

/** What publishing adds: the queues, and the Scheduler that feeds one of them. */
export interface PublishingResources {
  readonly queues: Readonly<Record<Exclude<SentQueue, SharedQueue>, QueueAddress>>;
  readonly publishDeadLetters: QueueAddress;
  readonly scheduleGroupName: string;
  /** Every schedule of the group. */
  readonly schedulesArn: string;
  readonly scheduleRoleArn: string;
  readonly scheduleDeadLetterArn: string;
}

export interface QueueAddress {
  readonly queueUrl: string;
  readonly queueArn: string;
}
