import { dayMs } from '../../kernel/clock.ts';
import { unconditionally } from '../../table/condition.ts';
import { getItem } from '../../table/items.ts';
import { awaitedAnswerKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, updatePart } from '../../table/transaction.ts';
import { ifAbsent } from '../../table/update.ts';

/** The time for which an answer is awaited. Later answers are ignored: people no longer remember the question. */
const awaitedMs = 30 * dayMs;

interface Awaiting {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly personId: string;
}

/**
 * Returns the part of a transaction that makes the person's next message count as an answer to this automation.
 *
 * `now` is in epoch milliseconds.
 */
export function awaitAnswerWrite(
  table: Pick<Table, 'name'>,
  { automationId, ...awaiting }: Awaiting & { readonly automationId: string },
  now: number,
): TransactionItems[number] {
  return updatePart(table, keyOf(awaiting), {
    set: { kind: 'awaitedAnswer', expiresAtSeconds: Math.floor((now + awaitedMs) / 1_000) },
    add: { automationIds: new Set([automationId]) },
    if: unconditionally,
  });
}

/**
 * Returns the part of a transaction after which the person's messages no longer concern this automation.
 *
 * `now` is in epoch milliseconds.
 */
export function answerNotAwaitedWrite(
  table: Pick<Table, 'name'>,
  { automationId, ...awaiting }: Awaiting & { readonly automationId: string },
  now: number,
): TransactionItems[number] {
  return updatePart(table, keyOf(awaiting), {
    // If there is no item any more, the update makes an empty one, which expires at once.
    set: { kind: 'awaitedAnswer', expiresAtSeconds: ifAbsent(Math.floor(now / 1_000)) },
    takeOut: { automationIds: new Set([automationId]) },
    if: unconditionally,
  });
}

/** Returns the ids of the automations that may await the person's answer. Their conversations decide whether they do. */
export async function automationsAwaitingAnswer(
  table: Table,
  awaiting: Awaiting,
): Promise<readonly string[]> {
  const item = await getItem(table, keyOf(awaiting));
  return [...((item?.['automationIds'] as Set<string> | undefined) ?? [])];
}

const keyOf = ({ workspaceId, accountId, personId }: Awaiting) =>
  awaitedAnswerKey(workspaceId, accountId, personId);
