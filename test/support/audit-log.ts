import { AuditEntry } from '../../lib/audit/schemas.ts';
import { auditPartition } from '../../lib/table/keys.ts';
import { queryAll } from '../../lib/table/query.ts';
import type { Table } from '../../lib/table/table.ts';

/** A workspace's whole audit log, oldest entry first. */
export async function auditLogOf(table: Table, workspaceId: string): Promise<AuditEntry[]> {
  const items = await queryAll(table, { partition: auditPartition(workspaceId) });
  return items.map((item) => AuditEntry.parse(item));
}
