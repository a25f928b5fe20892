import { AuditEntry } from '../../lib/audit/schemas.ts';
import { unconditionally } from '../../lib/table/condition.ts';
import { deleteItem } from '../../lib/table/items.ts';
import { auditPartition } from '../../lib/table/keys.ts';
import { queryAll } from '../../lib/table/query.ts';
import type { Table } from '../../lib/table/table.ts';

/** Verbs that a test uses to get a workspace in which it can begin. */
const preparations: readonly string[] = ['workspace.create', 'key.create'];

/** A workspace's audit log, oldest entry first, without those of creating the workspace and its key. */
export async function auditLogOf(table: Table, workspaceId: string): Promise<AuditEntry[]> {
  const items = await queryAll(table, { partition: auditPartition(workspaceId) });
  return items.map((item) => AuditEntry.parse(item)).filter(({ verb }) => !preparations.includes(verb));
}

/** Removes all entries of a workspace's audit log. */
export async function emptyAuditLog(table: Table, workspaceId: string): Promise<void> {
  for (const { pk, sk } of await queryAll(table, { partition: auditPartition(workspaceId) }))
    await deleteItem(table, { pk: String(pk), sk: String(sk) }, unconditionally);
}
