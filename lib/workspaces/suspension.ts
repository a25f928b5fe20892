import { referenceTo } from '../access/actor.ts';
import { auditPart } from '../audit/record.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { endPauseParts, findPause, newPause, putPauseParts } from '../pauses/manage.ts';
import { absent, anyOf, type Condition, differentFrom, either, present } from '../table/condition.ts';
import { directoryKey, erasureShard, keyDigestKey, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { checkPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import { inWorkspace, type Operator } from './operator.ts';
import { type Workspace, type WorkspaceState, workspaceLifeCycle, workspaceState } from './schemas.ts';
import { digestsOf, getWorkspace, listKeys, secondsOf } from './store.ts';

/** The time for which a deleted workspace can be resumed. */
export const graceMs = 30 * dayMs;

const defaultReason = 'the workspace is suspended';

/** The result of a command. */
export interface Offboarded {
  readonly workspace: Workspace;
  /** True if the workspace was in this state before: then only steps that an earlier run left undone were done. */
  readonly isRepeated: boolean;
  /** The number of changed API keys. */
  readonly keys: number;
  /** True if waiting posts show the given reason. Otherwise they show that of the earlier suspension. */
  readonly isReasonShown: boolean;
}

/**
 * Suspends a workspace: its keys are refused with 403 and nothing is published. Nothing is lost: see decision 27.
 *
 * First one transaction changes the workspace and begins the pause, then the keys follow. If the process crashes in between, the
 * same call completes the rest.
 *
 * @param reason shown to users in waiting posts: one line of 1 to 300 characters
 * @throws HeraldError `not_found`; `invalid` for the reason; `conflict` if the workspace is being deleted, or if another operator
 *   changes it at the same time
 */
export async function suspendWorkspace(
  act: Operator,
  workspaceId: string,
  reason: string = defaultReason,
): Promise<Offboarded> {
  const pause = newPause(act, { kind: 'workspace', workspaceId }, reason);
  const before = await getWorkspace(act.table, workspaceId);
  const state = workspaceState(before);
  if (state === 'deleting' || state === 'erasing') throw refused('is being deleted', before);
  const suspendedAt = before.suspendedAt ?? toTimestamp(act.now);
  const after = { ...before, suspendedAt };
  if (state === 'active')
    await move(act, before, 'suspended', after, putPauseParts(act, pause), pause.reason);
  return finished(act, before, after, state === 'suspended');
}

/**
 * Ends a suspension, also of a workspace that is to be deleted, until its grace ends. Held posts are released in order of due
 * time; those more than 24 hours late fail as `missed`.
 *
 * @throws HeraldError `not_found`; `conflict` if the grace has ended, or as in {@link suspendWorkspace}
 */
export async function resumeWorkspace(act: Operator, workspaceId: string): Promise<Offboarded> {
  const { table } = act;
  const before = await getWorkspace(table, workspaceId);
  const state = workspaceState(before);
  if (state === 'erasing') throw refused('can no longer be resumed: its erasure has begun', before);
  // From then on, the time to live removes its keys.
  if (before.deleteAfter !== undefined && Date.parse(before.deleteAfter) <= act.now)
    throw refused(`can no longer be resumed: its grace ended at ${before.deleteAfter}`, before);
  const after: Workspace = {
    ...before,
    suspendedAt: undefined,
    deleteAfter: undefined,
    deletedBy: undefined,
    dueAt: undefined,
  };
  if (state !== 'active') {
    const pause = await findPause(table, { kind: 'workspace', workspaceId });
    await move(act, before, 'active', after, pause ? endPauseParts(act, pause) : []);
  }
  return finished(act, before, after, state === 'active');
}

/**
 * Suspends a workspace and makes its erasure due at the end of the grace.
 *
 * @throws as {@link suspendWorkspace}
 */
export async function deleteWorkspace(
  act: Operator,
  workspaceId: string,
  reason: string = defaultReason,
): Promise<Offboarded & { readonly deleteAfter: string }> {
  const pause = newPause(act, { kind: 'workspace', workspaceId }, reason);
  const before = await getWorkspace(act.table, workspaceId);
  const state = workspaceState(before);
  const suspendedAt = before.suspendedAt ?? toTimestamp(act.now);
  const deleteAfter = before.deleteAfter ?? toTimestamp(act.now + graceMs);
  const deletedBy = before.deletedBy ?? referenceTo(act.actor);
  const after = { ...before, suspendedAt, deleteAfter, deletedBy, dueAt: before.dueAt ?? deleteAfter };
  const isRepeated = state === 'deleting' || state === 'erasing';
  const parts = state === 'active' ? putPauseParts(act, pause) : [];
  if (!isRepeated) await move(act, before, 'deleting', after, parts, pause.reason);
  return { ...(await finished(act, before, after, isRepeated)), deleteAfter };
}

/** Moves the workspace and its entry in the directory to another state, with the pause and the entry of the audit log. */
async function move(
  act: Operator,
  before: Workspace,
  state: WorkspaceState,
  { suspendedAt = removed, deleteAfter = removed, deletedBy = removed, dueAt = removed }: StateFields,
  pauseParts: TransactionItems,
  note?: string,
): Promise<void> {
  const { table } = act;
  const { id: workspaceId } = before;
  requireMove('workspace', workspaceLifeCycle, workspaceState(before), state);
  const dueShard = dueAt === removed ? removed : erasureShard;
  const outcome = await transact(table, [
    updatePart(table, workspaceKey(workspaceId), {
      set: { suspendedAt, deleteAfter, deletedBy, dueAt, dueShard },
      if: unchangedState(before),
    }),
    updatePart(table, directoryKey(workspaceId), {
      set: { state: state === 'active' ? removed : state, deleteAfter },
      if: { pk: present },
    }),
    ...pauseParts,
    auditPart(inWorkspace(act, workspaceId), before, note),
  ]);
  if (!outcome.committed)
    throw new HeraldError('conflict', 'workspace: another operator changed it at the same time; try again');
}

interface StateFields {
  readonly suspendedAt?: string | typeof removed | undefined;
  readonly deleteAfter?: string | typeof removed | undefined;
  readonly deletedBy?: object | typeof removed | undefined;
  readonly dueAt?: string | typeof removed | undefined;
}

/** Returns the condition that the workspace is still in the state that was read. */
export function unchangedState({ suspendedAt, deleteAfter, erasingSince }: Workspace): Condition {
  return {
    pk: present,
    suspendedAt: suspendedAt ?? absent,
    deleteAfter: deleteAfter ?? absent,
    erasingSince: erasingSince ?? absent,
  };
}

/** Finishes a command: the keys follow the workspace. */
async function finished(
  { table }: Operator,
  before: Workspace,
  after: Workspace,
  isRepeated: boolean,
): Promise<Offboarded> {
  const keys = await setKeysSuspended(table, after);
  return { workspace: after, isRepeated, keys, isReasonShown: workspaceState(before) === 'active' };
}

function refused(what: string, { id }: Workspace): HeraldError {
  return new HeraldError('conflict', `workspace ${id} ${what}`);
}

/**
 * Copies the workspace's suspension, or its absence, to every key. If the workspace is to be deleted, the time to live removes
 * its keys at the end of the grace, so no function needs a right on them. Idempotent. Call it after the workspace itself was
 * changed: keys that are stored from then on have it already.
 *
 * @returns the number of changed key values; a key that is being rotated has two
 * @throws HeraldError `conflict` if the workspace is suspended or resumed at the same time
 */
async function setKeysSuspended(
  table: Table,
  { id: workspaceId, suspendedAt, deleteAfter }: Pick<Workspace, 'id' | 'suspendedAt' | 'deleteAfter'>,
): Promise<number> {
  const expiresAtSeconds = deleteAfter === undefined ? undefined : secondsOf(deleteAfter);
  const keys = await listKeys(table, workspaceId);
  let changed = 0;
  for (const key of keys.filter(({ revokedAt }) => revokedAt === undefined)) {
    for (const digest of digestsOf(key)) {
      // A value that a rotation has replaced already has a time to live, which ends sooner.
      const wanted = digest === key.digest ? { suspendedAt, expiresAtSeconds } : { suspendedAt };
      const outcome = await transact(table, [
        checkPart(table, workspaceKey(workspaceId), {
          suspendedAt: suspendedAt ?? absent,
          deleteAfter: deleteAfter ?? absent,
        }),
        updatePart(table, keyDigestKey(digest), {
          set: Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, value ?? removed])),
          if: { pk: present, ...isOutdated(wanted) },
        }),
      ]);
      if (outcome.committed) changed += 1;
      else if (outcome.failedIndex === 0)
        throw new HeraldError(
          'conflict',
          'workspace: another operator changed it at the same time; try again',
        );
    }
  }
  return changed;
}

/** Returns the condition that at least one attribute differs from the wanted values. */
function isOutdated(wanted: Readonly<Record<string, unknown>>): Condition {
  const differing = Object.entries(wanted).map(
    ([name, value]): Condition => ({
      [name]: value === undefined ? present : anyOf(absent, differentFrom(value)),
    }),
  );
  // DynamoDB refuses redundant parentheses.
  return differing.length === 1 ? { ...differing[0] } : { [either]: differing };
}
