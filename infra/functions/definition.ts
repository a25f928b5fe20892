import type { ApiRights, DataRights, Setting, SharedQueue } from '../../lib/api-contract/rights.ts';
import type { StreamFilters } from './stream-filters.ts';

/** One Lambda function, as data. Its bundle, role, environment and log group are derived from it. */
export interface FunctionDefinition<FunctionRights = DataRights> {
  /** `<noun>-<verb>`. It appears in logs, on the dashboard and in the list of processes. */
  readonly name: string;
  /** The module that exports `build`, relative to the project's root. */
  readonly entry: string;
  /** Files that are deployed with its bundle, relative to the project's root. */
  readonly files?: readonly string[];
  readonly rights: FunctionRights;
  /** Environment variables in addition to those that its rights add (see `constructs/rights.ts`). */
  readonly settings?: readonly Setting[];
  /** Default 512, with which Lambda gives the function about 0.3 of a processor. */
  readonly memoryMegabytes?: number;
  /** Default 10. */
  readonly timeoutSeconds?: number;
}

/**
 * Whether a worker sends to the queue that it consumes. Lambda's detection of recursive loops is turned off for it: it counts
 * a batch as one, so under load it would join the short chains of many tenants' messages to an endless one. Instead the
 * messages themselves bound their chains (`lib/kernel/continued-messages.ts`).
 */
export const sendsToItself = ({ trigger, rights }: WorkerFunction): boolean =>
  trigger.kind === 'queue' && rights.sends?.some((queue) => queue === trigger.queue) === true;

export interface ApiFunction extends FunctionDefinition<ApiRights> {
  /** `<METHOD> <path>` in API Gateway's syntax, without the prefix `/api`, or `$default`. */
  readonly routes: readonly string[];
  /** Whether the public follows links to it. If so, its routes use the stage's `linkThrottle`. */
  readonly hasLinkThrottle?: boolean;
  /** A noun: the suffix of its stack's name. If absent, the function is in the stack of the HTTP API. */
  readonly group?: string;
}

/** The rights of a worker. Only workers may send to every queue and manage schedules. */
export interface WorkerRights extends DataRights {
  /** Queues it may send to. */
  readonly sends?: readonly SentQueue[];
  /** Whose dead-letter queue it may send to. */
  readonly sendsToDeadLettersOf?: 'publish' | 'upload';
  /** Actions on the schedules of the service's group. `CreateSchedule` includes the right to pass the Scheduler's role. */
  readonly schedules?: readonly ('CreateSchedule' | 'DeleteSchedule' | 'GetSchedule' | 'UpdateSchedule')[];
}

export interface WorkerFunction extends FunctionDefinition<WorkerRights> {
  readonly trigger: Trigger;
}

/** The queues that our functions send to. */
export type SentQueue =
  | SharedQueue
  | 'publish'
  | 'upload'
  | 'chain'
  | 'automation'
  | 'import'
  | 'slowWebhook';
/** All queues that functions consume. S3 sends to `mediaArrived`. */
export type QueueName = SentQueue | 'mediaArrived';

export type Trigger =
  | {
      readonly kind: 'queue';
      readonly queue: QueueName;
      readonly batchSize: number;
      /**
       * How much of the stage's concurrency it may use, in percent (`concurrency.ts`). All queues together leave a quarter to the
       * API, the redirect and whatever else has no bound.
       */
      readonly concurrencyPercent: number;
      /** Its bound in environments, if that is lower. */
      readonly maximumConcurrency?: number;
    }
  | {
      readonly kind: 'table-stream';
      readonly filters: StreamFilters;
      /**
       * What the alarms say if the function is behind the table, and if it sent a record to the dead letters; and the alarms
       * with which the first notifies.
       */
      readonly impact: {
        readonly late: string;
        readonly lost: string;
        readonly group: 'publishing' | 'background';
      };
      /** How long Lambda retries a record. If absent, as long as the stream keeps it: 24 hours. */
      readonly triedForHours?: number;
      /** How many batches of a shard are worked at the same time. Changes of one item stay in order. */
      readonly batchesAtOnce?: number;
    }
  /** `impact` is the heading of the alarm on repeated failures and on silence. */
  | { readonly kind: 'rate'; readonly everyMinutes: number; readonly impact: string };

export const defaultBatchesAtOnce = 4;
export const defaultMemoryMegabytes = 512;
export const defaultTimeoutSeconds = 10;

/** The module whose `start` turns the `build` of a function's entry into its handler. */
export const startModule = 'functions/wire/start.ts';
