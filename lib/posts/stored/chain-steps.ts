import * as z from 'zod';
import { toTimestamp } from '../../kernel/clock.ts';
import { requireMove } from '../../kernel/life-cycle.ts';
import { present } from '../../table/condition.ts';
import { postKey, statusList } from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import { indexes } from '../../table/schema.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, updatePart } from '../../table/transaction.ts';
import { plus, removed } from '../../table/update.ts';
import { chainStepLifeCycle, StoredChainStep } from './chain-schemas.ts';
import type { Post } from './schemas.ts';

/** The outcome of a step: the post that it became, or the reason that it could not become one. */
export type StepResult = Pick<StoredChainStep, 'status' | 'postId' | 'error'>;

/**
 * Returns the write that moves a step of a post's chain away from `waiting`, for a transaction.
 *
 * @param isLast true if no other step waits; the write then also ends the sweep's checks
 * @param now epoch milliseconds
 * @throws ForbiddenMoveError if the step is already settled
 */
export function settleStep(
  table: Table,
  { workspaceId, id, chain = [] }: Post,
  index: number,
  result: StepResult,
  { isLast, now }: { readonly isLast: boolean; readonly now: number },
): TransactionItems[number] {
  requireMove('chain step', chainStepLifeCycle, chain[index]?.status ?? 'waiting', result.status);
  const at = `chain[${index}]`;
  const settled = Object.entries(result).map(([name, value]) => [`${at}.${name}`, value]);
  const noMoreChecks = { chainWakeAt: removed, chainTries: removed, dueAt: removed, dueShard: removed };
  return updatePart(table, postKey(workspaceId, id), {
    set: {
      ...Object.fromEntries(settled),
      version: plus(1),
      updatedAt: toTimestamp(now),
      ...(isLast && noMoreChecks),
    },
    if: { [`${at}.status`]: 'waiting' },
  });
}

const ChainOnly = z.object({ chain: z.array(StoredChainStep.pick({ accountIds: true, status: true })) });

/**
 * Counts the waiting chain steps of scheduled posts that go to an account. Drafts are not scheduled, and the steps of a live post
 * are posts themselves. Reads all scheduled posts of the workspace, a request for each megabyte; they may be about a second old.
 */
export async function countWaitingSteps(
  table: Table,
  workspaceId: string,
  accountId: string,
): Promise<number> {
  let count = 0;
  const pages = queryPages(table, {
    partition: statusList(workspaceId, 'scheduled'),
    index: indexes.postsByStatus,
    filter: { chainWakeAt: present },
    attributes: ['pk', 'sk', 'chain'],
  });
  for await (const items of pages) {
    const steps = readableItems(table, items, (item) => ChainOnly.parse(item).chain).flat();
    count += steps.filter(
      ({ status, accountIds }) => status === 'waiting' && accountIds.includes(accountId),
    ).length;
  }
  return count;
}
