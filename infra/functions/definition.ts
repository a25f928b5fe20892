import type { ApiRights, DataRights, Setting, SharedQueue } from '../../lib/api-contract/rights.ts';
import type { StreamFilters } from './stream-filters.ts';

/** One Lambda function, as data: from this its bundle, its role, its environment and its log are made. */
export interface FunctionDefinition<FunctionRights = DataRights> {
  /** `<noun>-<verb>`: what people see in logs, on the dashboard and in a list of processes. */
  readonly name: string;
  /** The module that exports `build`, from the project's root. */
  readonly entry: string;
  /** Files that lie beside its bundle, from the project's root. */
  readonly files?: readonly string[];
  readonly rights: FunctionRights;
  /** Variables beyond those that come with a right: see `constructs/rights.ts`. */
  readonly settings?: readonly Setting[];
  /** Default 512, where Lambda gives about 0.3 of a processor. */
  readonly memoryMegabytes?: number;
  /** Default 10. */
  readonly timeoutSeconds?: number;
}

export interface ApiFunction extends FunctionDefinition<ApiRights> {
  /** `<METHOD> <path>` as API Gateway writes it, without a prefix, or `$default`. */
  readonly routes: readonly string[];
  /** Whether the whole world follows links to it: its routes have a throttle of their own. */
  readonly isCrowded?: boolean;
  /** What the name of its stack adds to that of the HTTP API's: a noun; absent: it stands beside the HTTP API. */
  readonly group?: string;
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

/** The queues that our own functions send to; the others are fed by AWS. */
export type SentQueue = SharedQueue | 'publish' | 'chain' | 'automation';
export type QueueName = SentQueue | 'mediaArrived';

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
