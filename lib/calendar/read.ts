import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { toTimestamp } from '../kernel/clock.ts';
import { afterCalendarEntries, calendarPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export interface CalendarEntry {
  readonly sk: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly postId: string;
  /** The key whose rhythm chose the time; absent where somebody named it. */
  readonly autoKeyId?: string | undefined;
}

export interface CalendarPart {
  /** In the order of their times. */
  readonly entries: readonly CalendarEntry[];
  /** Epoch milliseconds up to which nothing is missing. */
  readonly knownUntilMs: number;
}

/** A query answers with 1 MB, some 3,500 entries: about 150 a day over 90 days, where one reads on to the end. */
export const mostPages = 4;

/**
 * What is planned on a channel in a span of time, strongly consistent. At most four requests, however full it is: where
 * that does not reach, the answer says how far it goes.
 */
export async function readCalendar(
  table: Table,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Promise<CalendarPart> {
  const entries: CalendarEntry[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await table.client.send(
      new QueryCommand({
        ...between(table, workspaceId, accountId, toTimestamp(fromMs), toTimestamp(untilMs)),
        ProjectionExpression: 'sk, postId, autoKeyId',
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    entries.push(...(page.Items ?? []).map(toEntry));
    ExclusiveStartKey = page.LastEvaluatedKey;
    if (!ExclusiveStartKey) return { entries, knownUntilMs: untilMs };
  }
  return { entries, knownUntilMs: entries.at(-1)?.atMs ?? fromMs };
}

/** How many targets are to go live on a channel from now on. */
export async function countPlanned(
  table: Table,
  workspaceId: string,
  accountId: string,
  now: number,
): Promise<number> {
  let count = 0;
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new QueryCommand({
        ...between(table, workspaceId, accountId, toTimestamp(now), afterCalendarEntries),
        Select: 'COUNT',
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    count += page.Count ?? 0;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return count;
}

function between(
  table: Table,
  workspaceId: string,
  accountId: string,
  first: string,
  last: string,
): QueryCommandInput {
  return {
    TableName: table.name,
    KeyConditionExpression: 'pk = :calendar AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':calendar': calendarPartition(workspaceId, accountId),
      ':first': first,
      ':last': last,
    },
    ConsistentRead: true,
  };
}

export function toEntry(item: Record<string, unknown>): CalendarEntry {
  const { sk, postId, autoKeyId } = item;
  const [time = ''] = String(sk).split('#');
  return {
    sk: String(sk),
    atMs: Date.parse(time),
    postId: String(postId),
    ...(autoKeyId !== undefined && { autoKeyId: String(autoKeyId) }),
  };
}
