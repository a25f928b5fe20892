import { sha256 } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { automationCountsKey, automationCountsPrefix, automationPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';
import { type FailureCode, failureCodeNames, type WaitReason, waitReasons } from './failure-codes.ts';

/** An automation's counts since it was created, and its waiting conversations. */
export interface AutomationCounts {
  /** Comments that it matched. */
  readonly matches: number;
  /** Public replies. */
  readonly replies: number;
  /** Private messages, including those of the follow gate. */
  readonly messages: number;
  /** Replies and conversations that ended without sending their message, or with an unknown outcome. */
  readonly failures: number;
  /** The failures by code, without zeros. The sum is `failures`. */
  readonly failuresByCode: CountsOf<FailureCode>;
  /** Conversations that wait for longer than a moment, by reason, without zeros. */
  readonly waiting: CountsOf<WaitReason>;
}

type CountsOf<Name extends string> = Readonly<Partial<Record<Name, number>>>;

/** The numbers to add to the counts. Negative numbers subtract. */
export interface CountChanges {
  readonly matches?: number;
  readonly replies?: number;
  readonly messages?: number;
  readonly failures?: CountsOf<FailureCode>;
  readonly waiting?: CountsOf<WaitReason>;
}

/**
 * The number of shards of an automation's counts. Transactions on the same item cancel each other; shards make that rare in a
 * burst.
 */
const countShards = 32;

/** Returns the attribute of a code. Failures without a code are only in `failures`: earlier releases stored no codes. */
const failuresAttribute = (code: FailureCode): string => `failures_${code}`;
/** Returns the attribute of a reason. Earlier releases counted only conversations that wait for the hourly limit. */
const waitingAttribute = (reason: WaitReason): string =>
  reason === 'hourly_limit' ? 'awaitingCap' : `waiting_${reason}`;

/**
 * Returns the part of the transaction that commits the counted event, so that it is counted exactly once. A transaction may have
 * at most one for the same automation.
 *
 * @param commentId the id that chooses the shard
 */
export function countUpdate(
  table: Pick<Table, 'name'>,
  automationId: string,
  commentId: string,
  changes: CountChanges,
): TransactionItems[number] {
  return updatePart(table, automationCountsKey(automationId, shardOf(commentId)), {
    set: { kind: 'automationCounts' },
    add: attributesOf(changes),
    if: unconditionally,
  });
}

function attributesOf({ failures = {}, waiting = {}, ...numbers }: CountChanges): Record<string, number> {
  const byCode = Object.entries(failures) as [FailureCode, number][];
  const byReason = Object.entries(waiting) as [WaitReason, number][];
  return {
    ...numbers,
    ...(byCode.length > 0 && { failures: byCode.reduce((sum, [, count]) => sum + count, 0) }),
    ...Object.fromEntries(
      byCode
        .filter(([code]) => code !== 'other')
        .map(([code, count]) => [failuresAttribute(code), count] as const),
    ),
    ...Object.fromEntries(byReason.map(([reason, count]) => [waitingAttribute(reason), count] as const)),
  };
}

/** Merges the changes of one transaction. `undefined` if nothing is counted. */
export function sumOfCounts(...all: readonly (CountChanges | undefined)[]): CountChanges | undefined {
  const given = all.filter((each) => each !== undefined);
  if (given.length === 0) return undefined;
  const { failures, waiting, ...numbers } = given.reduce<CountChanges>(
    (sum, { failures = {}, waiting = {}, ...others }) => ({
      ...sumOf(sum as Record<string, number>, others as Record<string, number>),
      failures: sumOf(sum.failures ?? {}, failures),
      waiting: sumOf(sum.waiting ?? {}, waiting),
    }),
    {},
  );
  return { ...numbers, failures: failures ?? {}, waiting: waiting ?? {} };
}

function sumOf(one: CountsOf<string>, other: CountsOf<string>): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of [...Object.entries(one), ...Object.entries(other)])
    if (typeof count === 'number') sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

const shardOf = (commentId: string): number => Number.parseInt(sha256(commentId).slice(-4), 16) % countShards;

/** Sums the counts of all shards, in one query. */
export async function readCounts(table: Table, automationId: string): Promise<AutomationCounts> {
  const shards = await queryAll(table, {
    partition: automationPartition(automationId),
    sort: { beginsWith: automationCountsPrefix },
  });
  const sum = (name: string) => shards.reduce((total, shard) => total + Number(shard[name] ?? 0), 0);
  const failures = sum('failures');
  const coded = failureCodeNames.map((code) => [code, sum(failuresAttribute(code))] as const);
  const withCode = coded.reduce((total, [, count]) => total + count, 0);
  return {
    matches: sum('matches'),
    replies: sum('replies'),
    messages: sum('messages'),
    failures,
    failuresByCode: positive([...coded, ['other', failures - withCode]]),
    waiting: positive(waitReasons.map((reason) => [reason, sum(waitingAttribute(reason))])),
  };
}

const positive = <Name extends string>(counts: readonly (readonly [Name, number])[]): CountsOf<Name> =>
  Object.fromEntries(counts.filter(([, count]) => count > 0)) as CountsOf<Name>;
