import type { Act } from '../access/act.ts';
import type { Table } from '../table/table.ts';
import type { AuditedAct } from './record.ts';

/** In place of a workspace's id: the log of what operators do to the whole stage. No workspace has this id. */
export const stageLog = 'stage';

interface StageAct extends Act {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What somebody does to the whole stage, for the stage's log: pass it to `auditPart` if the act is a write of the table. */
export function inStage(act: StageAct): AuditedAct {
  return { ...act, workspaceId: stageLog };
}
