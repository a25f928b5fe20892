import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { getItem, putIfAbsent, updateItem } from '../table/items.ts';
import { withdrawalKey, withdrawalShard } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { removed } from '../table/update.ts';
import { Withdrawal, withdrawalLifeCycle } from './schemas.ts';

/** The time for which the status page can be read. Meta states none. */
const keptMs = 400 * dayMs;

const growing = { baseMs: minuteMs, capMs: 6 * hourMs };

/** A request as it arrives. */
export type NewWithdrawal = Required<Pick<Withdrawal, 'platform' | 'request' | 'userId' | 'connectedBy'>>;

/**
 * Stores a request, due immediately, in one write. Does nothing if it is stored already.
 *
 * @param code the confirmation code. Only its digest is stored
 * @param now epoch milliseconds
 */
export async function putWithdrawal(
  table: Table,
  code: string,
  request: NewWithdrawal,
  now: number,
): Promise<void> {
  const withdrawal: Withdrawal = {
    id: sha256(code),
    ...request,
    status: 'pending',
    receivedAt: toTimestamp(now),
    failures: 0,
    dueAt: toTimestamp(now),
    expiresAtSeconds: Math.floor((now + keptMs) / secondMs),
  };
  const key = withdrawalKey(withdrawal.id);
  await putIfAbsent(table, { ...key, kind: 'withdrawal', dueShard: withdrawalShard, ...withdrawal });
}

/** Returns the request with this confirmation code; `undefined` if there is none. @param now epoch milliseconds */
export async function findWithdrawal(
  table: Table,
  code: string,
  now: number,
): Promise<Withdrawal | undefined> {
  const item = await getItem(table, withdrawalKey(sha256(code)));
  const withdrawal = item && Withdrawal.parse(item);
  return withdrawal && withdrawal.expiresAtSeconds * secondMs > now ? withdrawal : undefined;
}

/** Records that a request is complete, and forgets the person. Does nothing if it was complete before. */
export async function completeWithdrawal(table: Table, read: Withdrawal, now: number): Promise<void> {
  requireMove('withdrawal', withdrawalLifeCycle, read.status, 'complete');
  const set = {
    status: 'complete',
    completedAt: toTimestamp(now),
    userId: removed,
    dueShard: removed,
    dueAt: removed,
  };
  await updateItem(table, withdrawalKey(read.id), { set, if: { status: 'pending' } });
}

/** Postpones a request that has failed, with exponential backoff up to six hours. It is never given up. */
export async function postponeWithdrawal(
  table: Table,
  { id, failures, dueAt }: Withdrawal,
  now: number,
): Promise<void> {
  const waitMs = Math.min(growing.capMs, growing.baseMs * 2 ** Math.min(failures, 20));
  await updateItem(table, withdrawalKey(id), {
    set: { dueAt: toTimestamp(now + waitMs), failures: failures + 1 },
    if: { status: 'pending', dueAt },
  });
}
