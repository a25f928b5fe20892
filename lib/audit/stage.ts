import type { Act } from '../access/act.ts';
import type { Table } from '../table/table.ts';
import type { AuditedAct } from './record.ts';

/** The id of the log of operators' acts on the whole stage, in place of a workspace's id. No workspace has this id. */
export const stageLog = 'stage';

interface StageAct extends Act {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the act for the log of the stage: pass it to `auditPart` if the act is a write of the table. */
export function inStage(act: StageAct): AuditedAct {
  return { ...act, workspaceId: stageLog };
}
