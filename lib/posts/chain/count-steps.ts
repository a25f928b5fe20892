import * as z from 'zod';
import { present } from '../../table/condition.ts';
import { statusList } from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import { indexes } from '../../table/schema.ts';
import type { Table } from '../../table/table.ts';
import { StoredChainStep } from './schemas.ts';

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
