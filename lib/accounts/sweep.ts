import { mapInBatches } from '../kernel/batches.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import { type DueItem, workDuePages } from '../overdue/due-pages.ts';
import { concurrentItems } from '../overdue/resend.ts';
import { platformNames } from '../platforms/contract/names.ts';
import { expiringShard } from '../table/keys.ts';
import { decideNotice } from './notice-times.ts';
import { accountFromItem, recordNotice } from './store.ts';
import { type RefreshCount, type RefreshDuePorts, refreshDueTokens } from './tokens/refresh-due.ts';

/** A page of notices is begun only if this much time is left. */
const noticeReserveMs = 15 * secondMs;

/** The number of due accounts per outcome. `told`: a notice that access ends soon was recorded. */
export type AccountSweepCount = RefreshCount & { readonly told: number };

/**
 * Renews due tokens and records due notices. Each runs to its end even if the other is slow or fails.
 *
 * @param deadlineMs the time by which the function must have ended, in epoch milliseconds
 * @throws the first error of either, after both have ended
 */
export async function sweepAccounts(ports: RefreshDuePorts, deadlineMs: number): Promise<AccountSweepCount> {
  const renewing = refreshDueTokens(ports, deadlineMs);
  const telling = sendExpiringNotices(ports, deadlineMs - noticeReserveMs);
  await Promise.allSettled([renewing, telling]);
  return { ...(await renewing), told: await telling };
}

type NoticePorts = Pick<RefreshDuePorts, 'table' | 'now' | 'report'>;

/**
 * Records each notice that is due on its account. The table's stream turns each such change into an event. If two sweeps run
 * concurrently, one of them records it. Notices that a sweep does not reach, because it crashes or runs out of time, stay due for
 * the next one.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun
 * @returns the number of notices recorded
 * @throws the first error of the table while it looks for accounts, after everything else is done
 */
async function sendExpiringNotices(ports: NoticePorts, deadlineMs: number): Promise<number> {
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
