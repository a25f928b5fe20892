import type { Act } from '../access/act.ts';
import { type ActorReference, referenceTo } from '../access/actor.ts';
import { dayMs, hourMs, toTimestamp } from '../kernel/clock.ts';
import { derivedTimeId, newId } from '../kernel/ids.ts';
import { absent, unconditionally } from '../table/condition.ts';
import { type Item, putIfAbsent, updateItem } from '../table/items.ts';
import { auditEntryKey } from '../table/keys.ts';
import { retentionOf, type Table } from '../table/table.ts';
import { putPart, type TransactionItems } from '../table/transaction.ts';
import { ifAbsent } from '../table/update.ts';
import type { AuditEntry, AuditOutcome } from './schemas.ts';

/** An act in a workspace at a time: the part of every request's context that the audit log needs. */
export interface AuditedAct extends Omit<Act, 'actor'> {
  readonly actor: ActorReference;
  readonly table: Table;
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The thing that is changed: its id, and its name as people knew it before. A thing without a name is only an id. */
export type AuditSubject = string | { readonly id: string; readonly name: string | null | undefined };

/**
 * Returns the part of a transaction that appends an entry to the workspace's audit log, so that a change and its entry are both
 * stored or neither is. Put it last: from a failed condition's index, callers tell which of their own conditions failed.
 *
 * @param note the reason that the actor gave
 */
export function auditPart(act: AuditedAct, subject: AuditSubject, note?: string): TransactionItems[number] {
  return putPart(act.table, entryItem(act, 'done', subject, note), { pk: absent });
}

/**
 * Returns the part of a transaction that appends the entry of a login that connected accounts. Put it last, like {@link
 * auditPart}.
 *
 * @param attempt its id is the digest of the attempt's state, its name those of the accounts
 */
export function connectedPart(
  act: AuditedAct,
  attempt: AuditSubject,
  accountIds: readonly string[],
): TransactionItems[number] {
  return putPart(act.table, { ...entryItem(act, 'done', attempt, undefined), accountIds }, { pk: absent });
}

/**
 * Records an act that no transaction can contain, such as a call to a platform or SQS, or a rebuild. Call it directly before the
 * act, so that nothing is done without an entry. The entry says `begun`: the act may have failed.
 *
 * @param subject also a name such as that of a queue
 * @param note the reason that the actor gave
 */
export async function recordAct(act: AuditedAct, subject: AuditSubject, note?: string): Promise<void> {
  await putIfAbsent(act.table, entryItem(act, 'begun', subject, note));
}

/**
 * Records that an actor was not allowed to do what it tried. All refusals of an actor and a verb in one hour are one entry with
 * their number: whoever holds the least key could otherwise fill the log and bury what matters. The entry has the time of the
 * beginning of the hour, so that it stays where the log is sorted by time.
 */
export async function recordRefusal(act: AuditedAct, note: string): Promise<void> {
  const { table, workspaceId, actor, verb, now } = act;
  const hour = now - (now % hourMs);
  const id = derivedTimeId(hour, actor.kind, actor.id, verb);
  const { pk, sk, expiresAtSeconds, ...entry } = entryItem({ ...act, now: hour }, 'refused', null, note, id);
  await updateItem(table, auditEntryKey(workspaceId, id), {
    set: {
      ...Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, ifAbsent(value)])),
      expiresAtSeconds: ifAbsent(expiresAtSeconds),
      lastAt: toTimestamp(now),
    },
    add: { count: 1 },
    if: unconditionally,
  });
}

function entryItem(
  { table, workspaceId, actor, verb, requestId, now }: AuditedAct,
  outcome: AuditOutcome,
  subject: AuditSubject | null,
  note: string | undefined,
  id = newId(now),
): Item {
  const { id: subjectId, name } =
    typeof subject === 'string' ? { id: subject, name: null } : (subject ?? nothing);
  const subjectName = name && shownName(name);
  const entry: AuditEntry = {
    id,
    at: toTimestamp(now),
    actor: referenceTo(actor),
    verb,
    subjectId,
    ...(subjectName && { subjectName }),
    requestId,
    outcome,
    ...(note !== undefined && { note }),
  };
  const expiresAtSeconds = Math.floor((now + retentionOf(table).audit * dayMs) / 1_000);
  return { ...auditEntryKey(workspaceId, entry.id), kind: 'auditEntry', ...entry, expiresAtSeconds };
}

const nothing = { id: null, name: null };

/** The maximum number of characters of a name in an entry. Of a post, it is the beginning of the text. */
const nameCharacters = 80;

/** Returns the name on one line, shortened. */
function shownName(name: string): string {
  const characters = [...name.replace(/[\p{Cc}\s]+/gu, ' ').trim()];
  return characters.length > nameCharacters
    ? `${characters.slice(0, nameCharacters - 1).join('')}…`
    : characters.join('');
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
