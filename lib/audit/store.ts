import { dayMs } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { auditEntryKey, auditPartition } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import { retentionOf, type Table } from '../table/table.ts';
import { AuditEntry } from './schemas.ts';

export interface AuditQuery {
  /** The first moment, in epoch milliseconds; default: the oldest entry that is kept. */
  readonly fromMs?: number | undefined;
  /** The exclusive end, in epoch milliseconds; default: no end. */
  readonly toMs?: number | undefined;
  /** The id of the key, person or operator. */
  readonly actorId?: string | undefined;
  readonly verb?: string | undefined;
  /** The number of entries to read. Entries that the filters leave out count too. */
  readonly limit: number;
  readonly afterEntryId?: string | undefined;
  readonly isOldestFirst?: boolean;
  /** Epoch milliseconds. Entries that have expired by then are left out: DynamoDB removes them up to days later. */
  readonly now: number;
}

export interface AuditPage {
  readonly entries: AuditEntry[];
  /** The last entry read, if there may be more. */
  readonly lastEntryId: string | undefined;
}

/** Returns one page of a workspace's audit log, newest first by default, in one strongly consistent request. */
export async function queryAudit(table: Table, workspaceId: string, query: AuditQuery): Promise<AuditPage> {
  const { fromMs = 0, toMs, actorId, verb, limit, afterEntryId, isOldestFirst = false, now } = query;
  const firstMs = Math.max(0, fromMs, now - retentionOf(table).audit * dayMs + 1);
  // DynamoDB rejects a range that ends before it begins.
  if (toMs !== undefined && toMs <= firstMs) return { entries: [], lastEntryId: undefined };
  const first = firstIdAt(firstMs);
  // An entry may expire while a client pages. DynamoDB rejects a start outside the range, and nothing older is left.
  if (!isOldestFirst && afterEntryId !== undefined && afterEntryId < first)
    return { entries: [], lastEntryId: undefined };
  const filter = {
    ...(actorId !== undefined && { 'actor.id': actorId }),
    ...(verb !== undefined && { verb }),
  };
  const { items, lastKey } = await queryPage(table, {
    partition: auditPartition(workspaceId),
    sort: toMs === undefined ? { atLeast: first } : { between: [first, firstIdAt(toMs)] },
    filter: Object.keys(filter).length > 0 ? filter : undefined,
    limit,
    after: afterEntryId === undefined ? undefined : auditEntryKey(workspaceId, afterEntryId),
    descending: !isOldestFirst,
  });
  return {
    entries: readableItems(table, items, (item) => AuditEntry.parse(item)),
    lastEntryId: lastKey && String(lastKey['sk']),
  };
}

/** The number of entries per page when the whole log is read: about 170 KB. */
const exportedPerPage = 500;

/** Reads a workspace's audit log, oldest entry first, page by page. */
export async function* auditPages(
  table: Table,
  workspaceId: string,
  range: Pick<AuditQuery, 'fromMs' | 'toMs' | 'now'>,
): AsyncGenerator<AuditEntry[]> {
  let afterEntryId: string | undefined;
  do {
    const query = { ...range, limit: exportedPerPage, afterEntryId, isOldestFirst: true };
    const { entries, lastEntryId } = await queryAudit(table, workspaceId, query);
    yield entries;
    afterEntryId = lastEntryId;
  } while (afterEntryId !== undefined);
}
