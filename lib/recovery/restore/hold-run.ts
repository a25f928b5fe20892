import type { Clock } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import type { Target } from '../../targets/schemas.ts';

export interface HoldPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
  /**
   * Called for each target that is in doubt, before it is changed.
   *
   * @param isUnscheduled whether the only reason is that its schedule is gone
   */
  readonly onTarget?: (target: Target, isUnscheduled: boolean) => void;
  /** Reports what could not be changed. Run the command again. */
  readonly report: (message: string, error: unknown) => void;
}

/** What was found, and changed unless the run is dry. */
export interface HoldCount {
  /** Targets that the platform is asked about, without the next ones. */
  targets: number;
  /** Targets that are asked about because their schedules are gone: they were moved or deleted in the gap. */
  unscheduled: number;
  /** Failed targets whose next retry asks the platform first. */
  retries: number;
  /** Live targets whose finishing ends. */
  finishing: number;
  /** Steps of chains that are not made into posts. */
  steps: number;
  /** Replies and messages of automations that are not sent. */
  actions: number;
  failures: number;
}

/** One run, which counts. */
export interface Run {
  readonly isDryRun: boolean;
  readonly count: HoldCount;
}

/** Counts and reports an error, so that the others are still worked. */
export async function counting(
  { report }: HoldPorts,
  count: HoldCount,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    count.failures += 1;
    report(what, error);
  }
}
