import type { ApiRights, DataRights, Setting, SharedQueue } from '../../lib/api-contract/rights.ts';
import type { CopiedPackage } from '../copied-packages.ts';
import type { StreamFilters } from './stream-filters.ts';

/** One Lambda function, as data. Its bundle, role, environment and log group are derived from it. */
export interface FunctionDefinition<FunctionRights = DataRights> {
  /** `<noun>-<verb>`. It appears in logs, on the dashboard and in the list of processes. */
  readonly name: string;
  /** The module that exports `build`, relative to the project's root. */
  readonly entry: string;
  /** Files that are deployed with its bundle, relative to the project's root. */
  readonly files?: readonly string[];
  /** Modules that it starts as processes, relative to the project's root. */
  readonly programs?: readonly string[];
  /** Packages that are deployed as files beside its bundle. */
  readonly packages?: readonly CopiedPackage[];
  readonly rights: FunctionRights;
  /** Environment variables in addition to those that its rights add (see `constructs/rights.ts`). */
  readonly settings?: readonly Setting[];
  /** The memory, by default 512, with which Lambda gives the function about 0.3 of a processor. */
  readonly memoryMegabytes?: number;
  /** The temporary storage on disk, by default 512. */
  readonly temporaryMegabytes?: number;
  /** The time limit, by default 10. */
  readonly timeoutSeconds?: number;
}

/**
 * Returns true if a worker sends to the queue that it consumes. Lambda's detection of recursive loops is turned off for it: it
 * counts a batch as one message, so under load it would see the short chains of many tenants' messages as one endless chain.
 * Instead, the messages themselves limit their chains (`lib/kernel/continued-messages.ts`).
 */
export const sendsToItself = ({ trigger, rights }: WorkerFunction): boolean =>
  trigger.kind === 'queue' && rights.sends?.some((queue) => queue === trigger.queue) === true;

export interface ApiFunction extends FunctionDefinition<ApiRights> {
  /** `<METHOD> <path>` in API Gateway's syntax, without the prefix `/api`, or `$default`. */
  readonly routes: readonly string[];
  /** True if the public follows links to it. Its routes then use the stage's `linkThrottle`. */
  readonly hasLinkThrottle?: boolean;
  /** The suffix of its stack's name, a noun. If absent, the function is in the stack of the HTTP API. */
  readonly group?: string;
}

/** The rights of a worker. Only workers may send to every queue and manage schedules. */
export interface WorkerRights extends DataRights {
  /** The queues that it may send to. */
  readonly sends?: readonly SentQueue[];
  /** The queue to whose dead letters it may send. */
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
  | 'distantWake'
  | 'chain'
  | 'automation'
  | 'import'
  | 'renderMedia'
  | 'slowWebhook';
/** All queues that functions consume. S3 sends to `mediaArrived`. */
export type QueueName = SentQueue | 'mediaArrived';

export type Trigger =
  | {
      readonly kind: 'queue';
      readonly queue: QueueName;
      readonly batchSize: number;
      /**
       * Its share of the stage's concurrency, in percent (`concurrency.ts`). All queues together leave a quarter to the API, the
       * redirect and everything else without a bound.
       */
      readonly concurrencyPercent: number;
      /** Its bound in environments, if that is lower. */
      readonly maximumConcurrency?: number;
    }
  | {
      readonly kind: 'table-stream';
      readonly filters: StreamFilters;
      /**
       * The headings of the alarms: for a function that is behind the table, and for one that has sent a record to the dead
       * letters; and the group with which the first alarm notifies.
       */
      readonly impact: {
        readonly late: string;
        readonly lost: string;
        readonly group: 'publishing' | 'background';
      };
      /** The time for which Lambda retries a record. If absent, as long as the stream keeps it: 24 hours. */
      readonly triedForHours?: number;
      /** The number of batches of a shard that are worked concurrently. Changes of one item stay in order. */
      readonly batchesAtOnce?: number;
    }
  /** `impact` is the heading of the alarm on repeated failures and on silence. */
  | { readonly kind: 'rate'; readonly everyMinutes: number; readonly impact: string };

export const defaultBatchesAtOnce = 4;
export const defaultMemoryMegabytes = 512;
export const defaultTimeoutSeconds = 10;

/** The module whose `start` turns the `build` of a function's entry into its handler. */
export const startModule = 'functions/wire/start.ts';
