import { sha256 } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { automationCountsKey, automationCountsPrefix, automationPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';

/** What an automation has done since it was created, and what waits. */
export interface AutomationCounts {
  /** Comments that it matched. */
  readonly matches: number;
  /** Public replies. */
  readonly replies: number;
  /** Private messages, including those of the follow gate. */
  readonly messages: number;
  /** Replies and conversations that ended without sending their message, or with an unknown outcome. */
  readonly failures: number;
  /** Conversations that wait for a place under the account's hourly cap. */
  readonly awaitingCap: number;
}

/** Transactions on the same item cancel each other. Spreads an automation's counts, so that a burst rarely conflicts. */
const countShards = 32;

/**
 * Part of the transaction that commits the counted event, so that it is counted exactly once.
 *
 * @param commentId chooses the shard
 */
export function countUpdate(
  table: Pick<Table, 'name'>,
  automationId: string,
  commentId: string,
  added: Partial<AutomationCounts>,
): TransactionItems[number] {
  return updatePart(table, automationCountsKey(automationId, shardOf(commentId)), {
    set: { kind: 'automationCounts' },
    add: added,
    if: unconditionally,
  });
}

const shardOf = (commentId: string): number => Number.parseInt(sha256(commentId).slice(-4), 16) % countShards;

/** Sums the counts of all shards, in one query. */
export async function readCounts(table: Table, automationId: string): Promise<AutomationCounts> {
  const shards = await queryAll(table, {
    partition: automationPartition(automationId),
    sort: { beginsWith: automationCountsPrefix },
  });
  const sum = (name: keyof AutomationCounts) =>
    shards.reduce((total, shard) => total + Number(shard[name] ?? 0), 0);
  return {
    matches: sum('matches'),
    replies: sum('replies'),
    messages: sum('messages'),
    failures: sum('failures'),
    awaitingCap: sum('awaitingCap'),
  };
}
