import type { Platform } from '../../lib/platforms/contract/names.ts';
import type { IndexName } from '../../lib/table/schema.ts';
import type { StreamFilters } from './stream-filters.ts';

/** One Lambda function, as data: from this its bundle, its role, its environment and its log are made. */
export interface FunctionDefinition<FunctionRights = DataRights> {
  /** `<noun>-<verb>`: what people see in logs, on the dashboard and in a list of processes. */
  readonly name: string;
  /** The module that exports `createHandler`, from the project's root. */
  readonly entry: string;
  /** Files that lie beside its bundle, from the project's root. */
  readonly files?: readonly string[];
  readonly rights: FunctionRights;
  /** Variables beyond those that come with a right: see `constructs/environment.ts`. */
  readonly settings?: readonly Setting[];
  /** Default 512, where Lambda gives about 0.3 of a processor. */
  readonly memoryMegabytes?: number;
  /** Default 10. */
  readonly timeoutSeconds?: number;
}

/** What a function may do with what is stored. Each entry is one IAM action on one resource; nothing else is allowed. */
export interface DataRights {
  readonly table?: readonly TableAction[];
  /** The same, but only where the partition key begins so. */
  readonly tablePartitions?: Readonly<Partial<Record<TableAction, string>>>;
  /** Indexes it may query. */
  readonly indexes?: readonly IndexName[];
  /**
   * On the bucket's objects under `media/`. HeadObject goes by the right to GetObject; a missing object answers it 404
   * only to who may ListBucket, else 403.
   */
  readonly media?: readonly (MediaAction | 'ListBucket')[];
  /**
   * With the key that seals secrets, and only in the name of a workspace: to seal (`GenerateDataKey`) and to open, each
   * for one purpose.
   */
  readonly tokens?: readonly SealRight[];
  /** Whether it reads the platforms' app secrets: all of them, or those of one. */
  readonly platformSecrets?: boolean | Platform;
}

/**
 * What is sealed: the tokens of accounts; the candidates of a login that leads to several, until one is chosen; the
 * secrets that webhooks are signed with. Each is sealed in a context that names it, so a right on one opens no other.
 */
export type SealPurpose = 'tokens' | 'choice' | 'signing';
export type SealRight = `${'GenerateDataKey' | 'Decrypt'} ${SealPurpose}`;

export type MediaAction = 'GetObject' | 'PutObject' | 'DeleteObject';

/** Transactions need the right of each of their parts. There is no Scan, here or anywhere. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

export type Setting =
  | 'MEDIA_BASE_URL'
  | 'PUBLIC_BASE_URL'
  | 'RATE_LIMIT_PER_MINUTE'
  | 'WEBHOOK_PLAIN_HTTP_HOSTS';

/** What a function of the API may do beside. */
export interface ApiRights extends DataRights {
  /** Queues it may send to. */
  readonly sends?: readonly SharedQueue[];
}

export interface ApiFunction extends FunctionDefinition<ApiRights> {
  /** `<METHOD> <path>` as API Gateway writes it, without a prefix, or `$default`. */
  readonly routes: readonly string[];
  /** Whether the whole world follows links to it: its routes have a throttle of their own. */
  readonly isCrowded?: boolean;
}

/** What a worker may do beside: it alone sets off what follows a commit. */
export interface WorkerRights extends DataRights {
  /** Queues it may send to. */
  readonly sends?: readonly SentQueue[];
  /** Whether it may put publish messages among their dead letters. */
  readonly setsAside?: boolean;
  /** On the schedules of the service's group. The right to create one includes handing over the Scheduler's role. */
  readonly schedules?: readonly ('CreateSchedule' | 'DeleteSchedule' | 'GetSchedule' | 'UpdateSchedule')[];
}

export interface WorkerFunction extends FunctionDefinition<WorkerRights> {
  readonly trigger: Trigger;
}

export type QueueName = 'publish' | 'chain' | 'webhook' | 'mediaArrived' | 'inbound' | 'automation';

/** The queues that our own functions send to; the others are fed by AWS. */
export type SentQueue = Exclude<QueueName, 'mediaArrived'>;

/** Of these, those that functions of the API send to as well. */
export type SharedQueue = 'webhook' | 'inbound';

export type Trigger =
  | {
      readonly kind: 'queue';
      readonly queue: QueueName;
      readonly batchSize: number;
      /** Whether the stage's limit on publishing environments holds for it. */
      readonly limitedByStage?: boolean;
    }
  | {
      readonly kind: 'table-stream';
      readonly filters: StreamFilters;
      /** What operators are told when it is behind the table, and when it gave something up. */
      readonly harm: { readonly late: string; readonly lost: string };
      /** A record is tried for so long; absent: for as long as the stream keeps it, a day. */
      readonly triedForHours?: number;
    }
  /** `harm`: what operators are told when it fails three times in a row. */
  | { readonly kind: 'rate'; readonly everyMinutes: number; readonly harm: string };

export const defaultMemoryMegabytes = 512;
export const defaultTimeoutSeconds = 10;

/** Makes each function's handler from what its entry exports. */
export const startModule = 'functions/wire/start.ts';
