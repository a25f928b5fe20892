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
   * @param isUnscheduled true if the only reason is that its schedule is gone
   */
  readonly onTarget?: (target: Target, isUnscheduled: boolean) => void;
  /** Reports a failed change. Run the command again. */
  readonly report: (message: string, error: unknown) => void;
}

/** The targets, steps and actions that were found, and changed unless the run is dry. */
export interface HoldCount {
  /** Targets whose outcome the platform is asked for, without the next two counts. */
  targets: number;
  /** Targets whose outcome is asked for because their schedules are gone: they were moved or deleted in the gap. */
  unscheduled: number;
  /** Failed targets whose next retry asks the platform first. */
  retries: number;
  /** Live targets whose finishing ends. */
  finishing: number;
  /** Steps of chains that will not become posts. */
  steps: number;
  /** Replies and messages of automations that will not be sent. */
  actions: number;
  failures: number;
}

/** A run with its counts. */
export interface Run {
  readonly isDryRun: boolean;
  readonly count: HoldCount;
}

/** Runs work, and counts and reports an error, so that the others continue. */
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
