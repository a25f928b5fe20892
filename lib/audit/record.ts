import type { Act } from '../access/act.ts';
import { type ActorReference, referenceTo } from '../access/actor.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { absent } from '../table/condition.ts';
import { type Item, putIfAbsent } from '../table/items.ts';
import { auditEntryKey } from '../table/keys.ts';
import { retentionOf, type Table } from '../table/table.ts';
import { putPart, type TransactionItems } from '../table/transaction.ts';
import type { AuditEntry, AuditOutcome } from './schemas.ts';

/** An act in a workspace at a time: the part of every request's context that the audit log needs. */
export interface AuditedAct extends Omit<Act, 'actor'> {
  readonly actor: ActorReference;
  readonly table: Table;
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Returns the part of a transaction that appends an entry to the workspace's audit log, so that a change and its entry are both
 * stored or neither is. Put it last: from a failed condition's index, callers tell which of their own conditions failed.
 *
 * @param subjectId the id of what is changed
 * @param note the reason that the actor gave
 */
export function auditPart(act: AuditedAct, subjectId: string, note?: string): TransactionItems[number] {
  return putPart(act.table, entryItem(act, 'done', subjectId, note), { pk: absent });
}

/**
 * Returns the part of a transaction that appends the entry of a login that connected accounts. Put it last, like {@link
 * auditPart}.
 *
 * @param attemptId the digest of the attempt's state
 */
export function connectedPart(
  act: AuditedAct,
  attemptId: string,
  accountIds: readonly string[],
): TransactionItems[number] {
  return putPart(act.table, { ...entryItem(act, 'done', attemptId, undefined), accountIds }, { pk: absent });
}

/**
 * Records an act that no transaction can contain, such as a call to a platform or SQS, or a rebuild. Call it directly before the
 * act, so that nothing is done without an entry. The entry says `begun`: the act may have failed.
 *
 * @param subjectId the subject of the act: an id, or a name such as that of a queue
 * @param note the reason that the actor gave
 */
export async function recordAct(act: AuditedAct, subjectId: string, note?: string): Promise<void> {
  await putIfAbsent(act.table, entryItem(act, 'begun', subjectId, note));
}

/** Records that an actor was not allowed to do what it tried. */
export async function recordRefusal(act: AuditedAct, note: string): Promise<void> {
  await putIfAbsent(act.table, entryItem(act, 'refused', null, note));
}

function entryItem(
  { table, workspaceId, actor, verb, requestId, now }: AuditedAct,
  outcome: AuditOutcome,
  subjectId: string | null,
  note: string | undefined,
): Item {
  const entry: AuditEntry = {
    id: newId(now),
    at: toTimestamp(now),
    actor: referenceTo(actor),
    verb,
    subjectId,
    requestId,
    outcome,
    ...(note !== undefined && { note }),
  };
  const expiresAtSeconds = Math.floor((now + retentionOf(table).audit * dayMs) / 1_000);
  return { ...auditEntryKey(workspaceId, entry.id), kind: 'auditEntry', ...entry, expiresAtSeconds };
}

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
