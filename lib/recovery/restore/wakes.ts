import { mapInBatches } from '../../kernel/batches.ts';
import { endOfTime, workDuePages } from '../../overdue/due-pages.ts';
import { messageOf, queueOf } from '../../publishing/message.ts';
import { scheduleWake, type WakePorts } from '../../publishing/wake.ts';
import { allDueShards } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { targetFromItem } from '../../targets/item.ts';

export interface WakesPorts extends WakePorts {
  readonly table: Table;
  /** Called with the number of wakes so far, after each page. */
  readonly onProgress?: (wakes: number) => void;
  readonly report: (message: string, error: unknown) => void;
}

export interface WakesCount {
  wakes: number;
  failures: number;
}

/** The number of wakes that are scheduled concurrently. EventBridge Scheduler takes 50 or more a second, by Region. */
const concurrentWakes = 20;

/**
 * Schedules every wake of the table: near ones with a message, distant ones with a schedule. The schedule's name follows from the
 * wake, so a schedule that still exists stays. For a lost schedule group or publish queue, and for a restored table.
 *
 * Without it, the sweep still finds each target at its time, up to a minute late. Held targets, chains and repair tasks need
 * nothing: the sweep finds them by the table alone. Safe to run at any time, and more than once.
 *
 * @throws the first error of the index, after everything else is done
 */
export async function scheduleAllWakes(
  ports: WakesPorts,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<WakesCount> {
  const count = { wakes: 0, failures: 0 };
  const all = { shards: allDueShards, dueBefore: endOfTime, deadlineMs: Number.POSITIVE_INFINITY };
  await workDuePages(ports, { ...all, order: 'time' }, async (page) => {
    const targets = page.filter(({ item }) => item['kind'] === 'target');
    await mapInBatches(targets, concurrentWakes, async ({ item, key }) => {
      try {
        const target = targetFromItem(item);
        if (target.wakeAt === undefined) return;
        if (!isDryRun)
          await scheduleWake(ports, messageOf(target), Date.parse(target.wakeAt), queueOf(target));
        count.wakes += 1;
      } catch (error) {
        count.failures += 1;
        ports.report(`${key.pk} ${key.sk}`, error);
      }
    });
    ports.onProgress?.(count.wakes);
  });
  return count;
}
