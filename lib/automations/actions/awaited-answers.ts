import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dayMs } from '../../kernel/clock.ts';
import { awaitedAnswerKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { TransactionItems } from '../../table/transaction.ts';

/** Whoever answers later is not heard: that they were asked is long forgotten. */
const awaitedMs = 30 * dayMs;

interface Awaiting {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly personId: string;
}

/** Part of a transaction: whatever the person writes next is an answer to this rule. */
export function awaitAnswerWrite(
  table: Pick<Table, 'name'>,
  { automationId, ...awaiting }: Awaiting & { readonly automationId: string },
  now: number,
): TransactionItems[number] {
  return {
    Update: {
      TableName: table.name,
      Key: awaitedAnswerKey(awaiting.workspaceId, awaiting.accountId, awaiting.personId),
      UpdateExpression: 'SET kind = :kind, expiresAtSeconds = :expires ADD automationIds :ids',
      ExpressionAttributeValues: {
        ':kind': 'awaitedAnswer',
        ':expires': Math.floor((now + awaitedMs) / 1_000),
        ':ids': new Set([automationId]),
      },
    },
  };
}

/** The rules that may await an answer of the person. Whether they do is for their conversations to say. */
export async function rulesAwaitingAnswer(
  table: Table,
  { workspaceId, accountId, personId }: Awaiting,
): Promise<readonly string[]> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: awaitedAnswerKey(workspaceId, accountId, personId),
      ConsistentRead: true,
    }),
  );
  return [...((Item?.['automationIds'] as Set<string> | undefined) ?? [])];
}
