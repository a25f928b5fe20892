/** The engines' interface for the rest of the local cloud. The AWS SDK uses their protocols instead. */

import type { Clock, MovableClock } from '../clock.ts';
import type { CloudModel, DistributionResource, PolicyDocument, UploadedFile } from '../model.ts';
import type { S3Reply, S3Request } from './s3/request.ts';
import type { TokenBuckets } from './token-bucket.ts';

/** The owner of one access key and its rights. */
export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** If set, each request must carry it. */
  readonly sessionToken?: string;
  /** The caller in refusals: `arn:aws:sts::<account>:assumed-role/<role>/<session>` or a user's ARN. */
  readonly principalArn: string;
  readonly policies: readonly PolicyDocument[];
}

export interface Identities {
  find(accessKeyId: string): Identity | undefined;
}

/** Policies that allow everything, for the developer. */
export const administratorPolicies: readonly PolicyDocument[] = [
  { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] },
];

export interface EngineOptions {
  /**
   * Creates the model once the endpoint's URL is known: queue URLs are `${endpointUrl}/${accountId}/${queueName}`.
   * Until then the endpoint answers 503.
   */
  readonly model: (urls: EndpointUrl) => CloudModel | Promise<CloudModel>;
  /** An edge for each distribution of the model, which its starter also stops. */
  readonly edges?: Readonly<Record<string, DistributionEdge>>;
  /** An absolute path; created if missing. */
  readonly dataDirectory: string;
  readonly clock: MovableClock;
  /** `real`: schedules fire up to 60 s late, as in AWS; `none`: on the second. */
  readonly jitter: 'real' | 'none';
  readonly identities: Identities;
  /** The limits on calls of services. Absent: nothing is limited. */
  readonly buckets?: TokenBuckets;
  /** DynamoDB's timing. Absent: {@link defaultTiming}. */
  readonly databaseTiming?: DatabaseTiming;
  /**
   * Called with a bucket's notification for a destination that is not a queue. Delivered at least once: retried after a
   * second, and after a restart, until the promise resolves.
   */
  readonly onObjectEvent?: (event: ObjectEvent) => void | Promise<void>;
  /** The endpoint's port; 0 or absent: any free port. */
  readonly port?: number;
  /** Called with one-line messages for the developer, such as failures. */
  readonly log?: (line: string) => void;
  /** Called for every AWS call with an authenticated caller, whatever its result. */
  readonly onAwsCall?: (call: AwsCall) => void;
  /** Called with the capacity that each DynamoDB request consumed. If absent, the engine is not asked for it. */
  readonly onConsumedCapacity?: (consumed: ConsumedCapacity) => void;
}

/** The timing of the local DynamoDB. */
export interface DatabaseTiming {
  /** The time for which a TransactWriteItems holds its items, in milliseconds of real time: overlapping requests are refused. */
  transactionHoldMs: number;
  /** The lag until an index shows a write, in milliseconds of the local cloud's clock. 0: at once */
  indexLagMs: number;
}

/** AWS gives no numbers: its transactions take about this long, and its indexes usually lag by less. */
export const defaultTiming: Readonly<DatabaseTiming> = { transactionHoldMs: 10, indexLagMs: 50 };

export interface AwsCall {
  /** The service's name as in the credential scope: `dynamodb`, `s3`. */
  readonly service: string;
  /** Such as `PutItem`; the HTTP method if the service has a REST protocol. */
  readonly action: string;
  readonly principalArn: string;
}

/** The capacity that one DynamoDB request consumed, in request units, including indexes. */
export interface ConsumedCapacity {
  /** Such as `PutItem`. */
  readonly action: string;
  /** The request's body. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The sender, if known. */
  readonly principalArn?: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The part of these units that each index consumed, by its name. */
  readonly byIndex: Readonly<Record<string, number>>;
}

/** Stands in for CloudFront in front of one distribution's origins. */
export interface DistributionEdge {
  attach(s3: BucketReader, distribution: DistributionResource, clock: Clock): void;
  /** Drops cached copies. @param paths as in CloudFront's CreateInvalidation */
  invalidate(paths: readonly string[]): void;
}

export interface BucketReader {
  /** @throws AwsError if the request is refused */
  reply(request: S3Request): Promise<S3Reply>;
}

export interface EndpointUrl {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly endpointUrl: string;
}

export interface Engines extends EndpointUrl {
  readonly model: CloudModel;
  /** Puts files into buckets as a deployment does. Files that are already there stay unchanged. */
  upload(files: readonly UploadedFile[]): Promise<void>;
  readonly queues: QueueEngine;
  /** @param consumerName a function's ARN. Its position in the table's stream is stored under this name. */
  streamReader(streamArn: string, consumerName: string): StreamReader;
  readonly control: ControlRoutes;
  /** Stops everything that was started, including the database process. Idempotent. */
  stop(): Promise<void>;
}

/** Unsigned routes under `/_local/`, for developers and tests on this machine. */
export interface ControlRoutes {
  /** @param path such as `/_local/processes`, matched exactly. If the handler throws, the reply is a 400. */
  mount(path: string, handler: (request: ControlRequest) => ControlReply | Promise<ControlReply>): void;
}

export interface ControlRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body; undefined if there is none. */
  readonly body: unknown;
}

export interface ControlReply {
  readonly status?: number;
  /** Sent as JSON. */
  readonly body: unknown;
}

/** SQS without its protocol and permission checks, for pollers and services inside the local cloud. */
export interface QueueEngine {
  send(message: OutgoingMessage): SentMessage;
  /** Resolves as soon as there is a message, or with none after `waitMs` or if the signal fires. */
  receive(request: ReceiveRequest): Promise<readonly QueueMessage[]>;
  delete(queueArn: string, receiptHandle: string): void;
  changeVisibility(queueArn: string, receiptHandle: string, visibilityTimeoutSeconds: number): void;
  /** Runs steps of these kinds, which must be synchronous, and stores their results in one commit, which is faster. */
  commitTogether<Result>(steps: () => Result): Result;
  /** Calls back whenever a message may have become visible. @returns a function that unsubscribes. */
  onMessage(queueArn: string, callback: () => void): () => void;
  counts(queueArn: string): { visible: number; inFlight: number; delayed: number };
}

export interface OutgoingMessage {
  readonly queueArn: string;
  readonly body: string;
  /** 0-900; defaults to the queue's delay. */
  readonly delaySeconds?: number;
  /** The tenant, for SQS's fair queues. */
  readonly messageGroupId?: string;
  readonly messageAttributes?: Readonly<Record<string, MessageAttribute>>;
  /** The value of the system attribute `SenderId`. */
  readonly senderId?: string;
  /** The X-Ray trace header. Lambda's recursive loop detection uses it. */
  readonly traceHeader?: string;
}

export interface SentMessage {
  readonly messageId: string;
  readonly md5OfBody: string;
  readonly md5OfMessageAttributes?: string;
}

/** A message attribute, with the field names of Lambda's events. */
export interface MessageAttribute {
  /** `String`, `Number` or `Binary`, optionally with a label: `Number.int`. */
  readonly dataType: string;
  readonly stringValue?: string;
  /** Base64. */
  readonly binaryValue?: string;
}

export interface ReceiveRequest {
  readonly queueArn: string;
  /** 1-10, as in the API. */
  readonly max: number;
  readonly waitMs: number;
  /** Defaults to the queue's own. */
  readonly visibilityTimeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface QueueMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly md5OfBody: string;
  /** `ApproximateReceiveCount`, `SentTimestamp`, `SenderId`, `MessageGroupId` and so on, all as strings. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, MessageAttribute>>;
  readonly md5OfMessageAttributes?: string;
}

export interface StreamReader {
  /**
   * Resolves with the records after the last one read (after a restart: the last one committed), oldest first, as soon
   * as there is one. Resolves with none after `waitMs` or if the signal fires.
   */
  read(request: {
    maxRecords: number;
    waitMs: number;
    signal?: AbortSignal;
  }): Promise<readonly StreamRecord[]>;
  /** Marks every record up to and including this one as done, so that none of them is read again. */
  commit(sequenceNumber: string): void;
}

/** One record of a table's stream, as Lambda passes it to a function. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly eventVersion: string;
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly eventSourceARN: string;
  readonly dynamodb: {
    /** Epoch seconds. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Readonly<Record<string, unknown>>;
    readonly NewImage?: Readonly<Record<string, unknown>>;
    readonly OldImage?: Readonly<Record<string, unknown>>;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: string;
  };
  /** Marks a deletion by time to live. */
  readonly userIdentity?: { readonly type: string; readonly principalId: string };
}

export interface ObjectEvent {
  readonly destinationArn: string;
  /** The notification as S3 sends it. */
  readonly notification: { readonly Records: readonly Readonly<Record<string, unknown>>[] };
}
