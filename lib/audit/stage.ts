import type { Act } from '../access/act.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { type AuditedAct, auditPart } from './record.ts';

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

/**
 * Records an act that is not one transaction, such as a call to SQS or a rebuild. Call it before the act, so that nothing is
 * done without an entry. An entry may then stand for an act that failed; what it did is in the logs.
 *
 * @param act made with {@link inStage}, or of a workspace
 * @param subjectId what it is done to: an id, or a name such as that of a queue
 * @param note the reason that the actor gave
 */
export async function recordAct(act: AuditedAct, subjectId: string, note?: string): Promise<void> {
  const outcome = await transact(act.table, [auditPart(act, subjectId, note)]);
  if (!outcome.committed) throw new Error('the audit log has an entry with this id already');
}
