import { secondMs } from '../kernel/clock.ts';
import { sendExpiringNotices } from './expiring/send-notices.ts';
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
