import type { Context } from '../api-contract/context.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import type { ListAuditQuery } from './operations.ts';
import { rangeOf } from './range.ts';
import type { AuditEntry } from './schemas.ts';
import { queryAudit } from './store.ts';

/** The maximum number of pages per request, which bounds its cost if few entries match. A page has `limit` entries. */
const maxPages = 10;

/**
 * Returns a page of the workspace's audit log, newest first. If filters leave out entries, it reads on until the page is full, at
 * most ten times `limit` entries. So a page may be short or empty although more follow.
 *
 * @throws HeraldError `invalid` for a cursor of another list or other filters, and if `to` is not after `from`
 */
export async function listAudit(
  { table, workspaceId, cursorSecret, now }: Context,
  { limit, cursor, from, to, actor, verb }: ListAuditQuery,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const range = rangeOf({ from, to });
  const scope = { secret: cursorSecret, listing: 'audit', filters: { from, to, actor, verb } };
  let afterEntryId = cursor === undefined ? undefined : openCursor(scope, cursor);
  const entries: AuditEntry[] = [];
  for (let page = 1; page <= maxPages && entries.length < limit; page += 1) {
    const found = await queryAudit(table, workspaceId, {
      ...range,
      actorId: actor,
      verb,
      limit: limit - entries.length,
      afterEntryId,
      now,
    });
    entries.push(...found.entries);
    afterEntryId = found.lastEntryId;
    if (afterEntryId === undefined) break;
  }
  return { entries, nextCursor: afterEntryId === undefined ? null : sealCursor(scope, afterEntryId) };
}
