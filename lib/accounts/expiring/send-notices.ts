import { mapInBatches } from '../../kernel/batches.ts';
import { type Clock, toTimestamp } from '../../kernel/clock.ts';
import { type DueItem, workDuePages } from '../../overdue/due-pages.ts';
import { concurrentItems } from '../../overdue/resend.ts';
import { platformNames } from '../../platforms/contract/names.ts';
import { expiringShard } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { accountFromItem, recordNotice } from '../store.ts';
import { decideNotice } from './notice-times.ts';

export interface NoticePorts {
  readonly table: Table;
  readonly now: Clock;
  /** Tells operators that an account could not be processed. The sweep continues with the others. */
  readonly report: (message: string, error: unknown) => void;
}

/**
 * Records each notice that is due on its account. The table's stream turns each such change into an event. If two sweeps run
 * concurrently, one of them records it. Notices that a sweep does not reach, because it crashes or runs out of time, stay due for
 * the next one.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun
 * @returns the number of notices recorded
 * @throws the first error of the table while it looks for accounts, after everything else is done
 */
export async function sendExpiringNotices(ports: NoticePorts, deadlineMs: number): Promise<number> {
  let sent = 0;
  const shards = platformNames.map(expiringShard);
  const dueBefore = toTimestamp(ports.now() + 1);
  await workDuePages(ports, { shards, dueBefore, deadlineMs }, async (page) => {
    const told = await mapInBatches(page, concurrentItems, (due) => sendOne(ports, due));
    sent += told.filter(Boolean).length;
  });
  return sent;
}

/** @returns true if this call recorded a notice */
async function sendOne({ table, now, report }: NoticePorts, { key, item }: DueItem): Promise<boolean> {
  try {
    const account = accountFromItem(item);
    const decision = decideNotice(account, now());
    const isRecorded = await recordNotice(table, account, decision);
    return isRecorded && decision.days !== undefined;
  } catch (error) {
    report(`${key.sk}: the notice that its access ends was not recorded`, error);
    return false;
  }
}
