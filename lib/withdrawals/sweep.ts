import { toTimestamp } from '../kernel/clock.ts';
import { workDuePages } from '../overdue/due-pages.ts';
import { type Key, withdrawalShard } from '../table/keys.ts';
import { runWithdrawal, type WithdrawalPorts } from './run.ts';
import { Withdrawal } from './schemas.ts';
import { postponeWithdrawal } from './store.ts';

export interface WithdrawalSweepPorts extends WithdrawalPorts {
  /** Reports a failed request to operators. It is tried again later. */
  readonly report: (key: Key, error: unknown) => void;
}

/**
 * Processes the requests that have arrived since the last sweep, and failed ones that are due again.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun; the next sweep continues
 * @returns the number of completed requests, and of failures
 */
export async function sweepWithdrawals(
  ports: WithdrawalSweepPorts,
  deadlineMs: number,
): Promise<{ done: number; failures: number }> {
  const { table, now, report } = ports;
  const counts = { done: 0, failures: 0 };
  // The end of the range is exclusive, so one millisecond is added to include items that are due now.
  const range = { shards: [withdrawalShard], dueBefore: toTimestamp(now() + 1), deadlineMs };
  await workDuePages(ports, range, async (page) => {
    for (const { key, item } of page) {
      try {
        await runOne(ports, item);
        counts.done += 1;
      } catch (error) {
        counts.failures += 1;
        report(key, error);
      }
    }
  });
  return counts;

  async function runOne(ports: WithdrawalPorts, item: Record<string, unknown>): Promise<void> {
    const withdrawal = Withdrawal.parse(item);
    try {
      await runWithdrawal(ports, withdrawal);
    } catch (error) {
      await postponeWithdrawal(table, withdrawal, now());
      throw error;
    }
  }
}
