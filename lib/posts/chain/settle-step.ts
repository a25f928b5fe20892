import { toTimestamp } from '../../kernel/clock.ts';
import { requireMove } from '../../kernel/life-cycle.ts';
import { postKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, updatePart } from '../../table/transaction.ts';
import { plus, removed } from '../../table/update.ts';
import type { Post } from '../schemas.ts';
import { chainStepLifeCycle, type StoredChainStep } from './schemas.ts';

/** What became of a step: a post, or nothing, with the reason. */
export type StepResult = Pick<StoredChainStep, 'status' | 'postId' | 'error'>;

/**
 * The write that moves a step of a post's chain away from `waiting`, for a transaction.
 *
 * @param isLast nothing is left then for the sweep to ask after
 * @param now epoch milliseconds
 * @throws ForbiddenMoveError for a step that is settled already
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
  const asksNoMore = { chainWakeAt: removed, chainTries: removed, dueAt: removed, dueShard: removed };
  return updatePart(table, postKey(workspaceId, id), {
    set: {
      ...Object.fromEntries(settled),
      version: plus(1),
      updatedAt: toTimestamp(now),
      ...(isLast && asksNoMore),
    },
    if: { [`${at}.status`]: 'waiting' },
  });
}
