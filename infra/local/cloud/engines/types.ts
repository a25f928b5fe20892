/** What the engines offer to the rest of the local cloud, beside the protocols they speak to the AWS SDK. */

import type { MovableClock } from '../clock.ts';
import type { CloudModel, PolicyDocument } from '../model.ts';

/** Whoever signs requests with one access key, and what it may do. */
export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Where given, each request must carry it. */
  readonly sessionToken?: string;
  /** As AWS names the caller in refusals: `arn:aws:sts::<account>:assumed-role/<role>/<session>` or a user's ARN. */
  readonly principalArn: string;
  readonly policies: readonly PolicyDocument[];
}

export interface Identities {
  find(accessKeyId: string): Identity | undefined;
}

/** The policies of an identity that may do everything: the person at the keyboard. */
export const administratorPolicies: readonly PolicyDocument[] = [
  { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] },
];

export interface EngineOptions {
  /**
   * Makes the model once the addresses are known: queue URLs are `${endpointUrl}/${accountId}/${queueName}`.
   * Until it has come the endpoint answers 503.
   */
  readonly model: (urls: EndpointUrls) => CloudModel | Promise<CloudModel>;
  /** Absolute; created when missing. */
  readonly dataDirectory: string;
  readonly clock: MovableClock;
  /** `real`: schedules fire up to 60 s late, as in AWS; `none`: on the second. */
  readonly jitter: 'real' | 'none';
  readonly identities: Identities;
  /**
   * A bucket's notification for a destination that is not a queue; queues are served by the engines. It comes
   * again (after a second, and after a restart) until the promise is kept, so more than once at worst.
   */
  readonly onObjectEvent?: (event: ObjectEvent) => void | Promise<void>;
  /** 0 or absent: any free port. */
  readonly ports?: { readonly endpoint?: number; readonly media?: number };
  /** One line about something a person should know. */
  readonly log?: (line: string) => void;
  /** Told of every call of AWS whose caller is proven, whatever becomes of it. */
  readonly onAwsCall?: (call: AwsCall) => void;
  /** Told what each request to DynamoDB cost. Without it nobody asks the engine for that. */
  readonly onConsumedCapacity?: (consumed: ConsumedCapacity) => void;
}

export interface AwsCall {
  /** As in the credential scope: `dynamodb`, `s3`. */
  readonly service: string;
  /** Such as `PutItem`; of services without actions in their requests the method. */
  readonly action: string;
  readonly principalArn: string;
}

/** What one request to DynamoDB cost, in request units, indexes included. */
export interface ConsumedCapacity {
  /** Such as `PutItem`. */
  readonly action: string;
  /** The request's body. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface EndpointUrls {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly endpointUrl: string;
  /** Where the distribution's objects are read; no slash at the end. */
  readonly mediaUrl: string;
}

export interface Engines extends EndpointUrls {
  readonly model: CloudModel;
  readonly queues: QueueEngine;
  /** A consumer's own place in a table's stream; the name (a function's ARN) is its memory over restarts. */
  streamReader(streamArn: string, consumerName: string): StreamReader;
  readonly control: ControlRoutes;
  /** Ends all that was started, the database process too; safe to call twice. */
  stop(): Promise<void>;
}

/** Routes under `/_local/`, unsigned, for the people and tests on this machine. */
export interface ControlRoutes {
  /** @param path such as `/_local/processes`, matched exactly. A thrown error answers 400 with its message. */
  mount(path: string, handler: (request: ControlRequest) => ControlReply | Promise<ControlReply>): void;
}

export interface ControlRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body; undefined when there is none. */
  readonly body: unknown;
}

export interface ControlReply {
  readonly status?: number;
  /** Sent as JSON. */
  readonly body: unknown;
}

/** SQS without its protocol and without permissions: for pollers and services inside the local cloud. */
export interface QueueEngine {
  send(message: OutgoingMessage): SentMessage;
  /** Resolves as soon as there is at least one message, with none when `waitMs` have passed or the signal fires. */
  receive(request: ReceiveRequest): Promise<readonly QueueMessage[]>;
  delete(queueArn: string, receiptHandle: string): void;
  changeVisibility(queueArn: string, receiptHandle: string, visibilityTimeoutSeconds: number): void;
  /** Tells when a message may have become visible. Returns the function that ends it. */
  onMessage(queueArn: string, callback: () => void): () => void;
  counts(queueArn: string): { visible: number; inFlight: number; delayed: number };
}

export interface OutgoingMessage {
  readonly queueArn: string;
  readonly body: string;
  /** 0-900; the queue's own delay when absent. */
  readonly delaySeconds?: number;
  /** On a standard queue the tenant for fair queues. */
  readonly messageGroupId?: string;
  readonly messageAttributes?: Readonly<Record<string, MessageAttribute>>;
  /** As AWS shows it in `SenderId`. */
  readonly senderId?: string;
  /** The X-Ray header, which Lambda's guard against loops rides on. */
  readonly traceHeader?: string;
}

export interface SentMessage {
  readonly messageId: string;
  readonly md5OfBody: string;
  readonly md5OfMessageAttributes?: string;
}

/** As in Lambda's events, which leave out neither list. */
export interface MessageAttribute {
  /** `String`, `Number` or `Binary`, perhaps with a label: `Number.int`. */
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
  /** The queue's own when absent. */
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
   * The records after the last one read (after a restart: after the last one committed), oldest first. Resolves
   * as soon as there is at least one, with none when `waitMs` have passed or the signal fires.
   */
  read(request: {
    maxRecords: number;
    waitMs: number;
    signal?: AbortSignal;
  }): Promise<readonly StreamRecord[]>;
  /** Every record up to and including this one is done with and never read again. */
  commit(sequenceNumber: string): void;
}

/** One record of a table's stream, as Lambda hands it to a function. */
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
