import type { Act } from '../access/act.ts';
import type { AuditedAct } from '../audit/record.ts';
import type { Table } from '../table/table.ts';

/**
 * The actor who changes workspaces and API keys: an operator with the admin command, or a person whose role allows it, never an
 * API key. The caller has checked that the actor may use the verb.
 */
export interface Operator extends Act {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the operator's act for the audit log of this workspace. */
export function inWorkspace(operator: Operator, workspaceId: string): AuditedAct {
  return { ...operator, workspaceId };
}
