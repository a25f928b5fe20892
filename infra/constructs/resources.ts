import type { SharedQueue } from '../../lib/api-contract/rights.ts';
import type { SentQueue } from '../functions/definition.ts';

/** Names and ARNs of the data stack's resources: ARNs for policies, names for the functions' environment. */
export interface DataResources {
  readonly tableName: string;
  readonly tableArn: string;
  readonly tableStreamArn: string;
  /** The retention of records, as JSON: see `lib/table/retention.ts`. */
  readonly retentionDays: string;
  readonly mediaBucketName: string;
  readonly mediaBucketArn: string;
  /** The host that browsers upload to. */
  readonly mediaBucketDomain: string;
  /** `https://<domain>` of the distribution that serves the bucket. */
  readonly mediaBaseUrl: string;
  readonly mediaDistributionId: string;
  readonly mediaDistributionArn: string;
  readonly tokenKeyId: string;
  readonly tokenKeyArn: string;
  /** True if one data key seals all tokens of a month. */
  readonly sharesTokenKeys: boolean;
  /** `/herald/<stage>/platforms`; under it is one SecureString per platform. */
  readonly platformParameterPrefix: string;
  /** The secret that the panel's distribution sends to the HTTP API. */
  readonly panelOriginSecretArn: string;
  readonly panelOriginSecretDigest: string;
  /** The parameter that says where people sign in: JSON with `issuer`, `clientId` and, unless the client is public, `clientSecret`. */
  readonly signInParameter: string;
  /** The parameter with the panel's address. The panel is deployed after the functions that read it. */
  readonly panelUrlParameter: string;
  /** Absent if the stage has its own identity provider. */
  readonly userPool?: { readonly id: string; readonly arn: string };
  readonly queues: Readonly<Record<SharedQueue, QueueAddress>>;
}

/** The resources of the workers stack: its queues, and the Scheduler that sends to those of wakes. */
export interface PublishingResources {
  readonly queues: Readonly<Record<Exclude<SentQueue, SharedQueue>, QueueAddress>>;
  /** The dead-letter queues of the queues of wakes. */
  readonly deadLetters: Readonly<Record<'publish' | 'upload', QueueAddress>>;
  readonly scheduleGroupName: string;
  /** Matches every schedule of the group. */
  readonly schedulesArn: string;
  readonly scheduleRoleArn: string;
  readonly scheduleDeadLetterArn: string;
}

export interface QueueAddress {
  readonly queueUrl: string;
  readonly queueArn: string;
}
