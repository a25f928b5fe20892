import type { TestCloud } from '../../support/local-cloud.ts';
import type { BenchContext } from '../bench.ts';
import type { Receiver } from './receiver-process.ts';

export interface Size {
  readonly eventCount: number;
  readonly warmUpCount: number;
  /** Events of the run that meters capacity. */
  readonly meteredCount: number;
  /** Workspaces with `endpointsOfWorkspace` endpoints each, in addition to one with a single endpoint. */
  readonly workspaceCount: number;
  readonly endpointsOfWorkspace: number;
  /** Time to wait for possible duplicates. */
  readonly watchedMs: number;
  /** The time between two looks at the pending deliveries. */
  readonly lookEveryMs: number;
  /** Real time to wait for an attempt that only a sweep begins, before the bench moves the clock on. */
  readonly sweptWithinMs: number;
  readonly badReceiver: {
    readonly failShare: number;
    readonly hangShare: number;
    readonly upMs: number;
    readonly downMs: number;
  };
  readonly hanging: {
    /** Endpoints of one workspace that never respond. */
    readonly endpoints: number;
    /** Events per second for each hanging endpoint, and for each of the other workspaces. */
    readonly perSecond: number;
    readonly otherWorkspaces: number;
    readonly seconds: number;
  };
}

/** The environment of each part of the bench. */
export interface Measurement extends Pick<BenchContext, 'progress'> {
  readonly cloud: TestCloud;
  readonly receiver: Receiver;
  readonly size: Size;
}

export interface Run {
  readonly name: string;
  readonly expected: number;
  readonly committed: ReadonlyMap<string, number>;
  /** Duration from the first commit to the last arrival. */
  readonly tookMs: number;
  /** Ascending. */
  readonly latenciesMs: readonly number[];
  readonly arrived: number;
  readonly duplicates: number;
  readonly connections: number;
}

/** The value below which a share of the ascending values lies; `undefined` if there are none. */
export function percentile(ascending: readonly number[], share: number): number | undefined {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)];
}
