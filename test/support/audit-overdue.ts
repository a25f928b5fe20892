import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { toTimestamp } from '../../lib/kernel/clock.ts';
import type { Table } from '../../lib/table/table.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import type { TargetStatus } from '../../lib/targets/state.ts';
import { hasOverdueKeys, postponedMs } from '../../lib/targets/wake.ts';

const waiting: readonly TargetStatus[] = ['scheduled', 'publishing'];

/**
 * Says why the index `overdue` would not find a stored target that waits; `undefined` if it would, or if the item does
 * not wait.
 *
 * @param now epoch milliseconds
 */
export function overdueProblem(item: Readonly<Record<string, unknown>>, now: number): string | undefined {
  if (item['kind'] !== 'target') return undefined;
  const target = targetFromItem(item);
  const { wakeAt, status, dueAt, dueShard } = target;
  if (wakeAt === undefined && !waiting.includes(status)) return undefined;
  if (wakeAt !== undefined && isFoundInTime(target, now)) return undefined;
  const place = `dueAt ${dueAt}, dueShard ${dueShard}`;
  return `${item['pk']} ${item['sk']} is ${status}, but the sweep does not find its wake ${wakeAt}: ${place}`;
}

/**
 * Returns true if the index `overdue` finds a waiting target in time: at its wake, or a minute after the sweep last found it.
 */
function isFoundInTime(target: Target, now: number): boolean {
  const { dueAt = '', wakeAt = '' } = target;
  const latest = [wakeAt, toTimestamp(now + postponedMs)].toSorted().at(-1) ?? '';
  return hasOverdueKeys(target) && dueAt <= latest;
}

/**
 * Reads the whole table and returns a line for each waiting target that the index `overdue` would not find. Only tests
 * read a whole table: no role allows it.
 *
 * @param now epoch milliseconds
 */
export async function auditOverdue(table: Table, now: number): Promise<string[]> {
  const problems: string[] = [];
  let after: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page: ScanCommandOutput = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: after }),
    );
    problems.push(...(page.Items ?? []).flatMap((item) => overdueProblem(item, now) ?? []));
    after = page.LastEvaluatedKey;
  } while (after);
  return problems;
}

/** @throws Error that lists the waiting targets that the index `overdue` would not find */
export async function requireOverdueComplete(table: Table, now: number): Promise<void> {
  const problems = await auditOverdue(table, now);
  if (problems.length > 0) throw new Error(`the sweep does not find every target:\n${problems.join('\n')}`);
}
