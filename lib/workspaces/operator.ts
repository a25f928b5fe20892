import type { Act } from '../access/act.ts';
import type { AuditedAct } from '../audit/record.ts';
import type { Table } from '../table/table.ts';

/**
 * Who changes workspaces and API keys: an operator with the admin command, or a person whose role allows it. No API key may.
 * The caller has checked that the actor may do what its verb stands for.
 */
export interface Operator extends Act {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What the operator does, for the audit log of this workspace. */
export function inWorkspace(operator: Operator, workspaceId: string): AuditedAct {
  return { ...operator, workspaceId };
}
