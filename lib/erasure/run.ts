import { auditPart, stageLog } from '../audit/record.ts';
import { hourMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { workDuePages } from '../overdue/due-pages.ts';
import { present, unconditionally } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { directoryKey, erasureShard, workspaceKey } from '../table/keys.ts';
import { deletePart, transact } from '../table/transaction.ts';
import { Workspace, workspaceLifeCycle, workspaceState } from '../workspaces/schemas.ts';
import { unchangedState } from '../workspaces/suspension.ts';
import { closeWorkspace } from './close.ts';
import { eraseRows } from './erase-rows.ts';
import { type ErasurePorts, type ErasureRun, OutOfTimeError } from './ports.ts';

/** The number of workspaces of a run, by outcome. */
export interface ErasureCount {
  /** The erasure has begun. */
  begun: number;
  /** Waits for running work to end, or for a platform to revoke an account. */
  waiting: number;
  /** There was more work than the run had time for. */
  unfinished: number;
  erased: number;
  failures: number;
}

/**
 * The wait after closing a workspace: longer than the life of anything that knew it then. Functions run for minutes, and cache
 * keys and links for up to a minute.
 */
const quietMs = hourMs;

/** The interval at which the revocation of accounts is tried. */
const revocationEveryMs = 6 * hourMs;

/**
 * Works on every workspace whose grace has ended, until it is gone. Each step is idempotent, and the next one begins only after
 * it, so a crash or the end of the time loses nothing: the next run continues.
 *
 * @param deadlineMs epoch milliseconds after which no work is begun
 */
export async function eraseDueWorkspaces(ports: ErasurePorts, deadlineMs: number): Promise<ErasureCount> {
  const count: ErasureCount = { begun: 0, waiting: 0, unfinished: 0, erased: 0, failures: 0 };
  const run = { ...ports, deadlineMs };
  const range = { shards: [erasureShard], dueBefore: toTimestamp(ports.now() + 1), deadlineMs };
  await workDuePages(ports, range, async (page) => {
    for (const { key, item } of page) {
      try {
        await eraseWorkspace(run, Workspace.parse(item), count);
      } catch (error) {
        if (error instanceof OutOfTimeError) {
          count.unfinished += 1;
          await letOthersGoFirst(run, item);
        } else {
          count.failures += 1;
          ports.report(`the erasure of ${key.pk} failed; the next run continues`, error);
        }
      }
    }
  });
  return count;
}

async function eraseWorkspace(run: ErasureRun, stored: Workspace, count: ErasureCount): Promise<void> {
  let workspace = stored;
  if (workspace.erasingSince === undefined) {
    const begun = await begin(run, workspace);
    if (!begun) return;
    workspace = begun;
    count.begun += 1;
  }
  if (workspace.closedAt === undefined) {
    const isClosed = (await closeWorkspace(run, workspace)) === 0;
    const closedAt = isClosed ? toTimestamp(run.now()) : undefined;
    await wait(run, workspace, isClosed ? quietMs : revocationEveryMs, closedAt);
    count.waiting += 1;
    return;
  }
  await eraseRows(run, workspace.id, sha256(`erasure of ${workspace.id} since ${workspace.erasingSince}`));
  await finish(run, workspace);
  count.erased += 1;
}

/** Moves a workspace that takes more time than a run has behind those that wait now. */
async function letOthersGoFirst({ table, now }: ErasureRun, item: Record<string, unknown>): Promise<void> {
  const workspace = Workspace.parse(item);
  await updateItem(table, workspaceKey(workspace.id), {
    set: { dueAt: toTimestamp(now()) },
    if: { pk: present, erasingSince: present },
  });
}

/** Begins the erasure; from then on the workspace cannot be resumed. @returns `undefined` if it was resumed in the meantime */
async function begin({ table, now }: ErasureRun, workspace: Workspace): Promise<Workspace | undefined> {
  requireMove('workspace', workspaceLifeCycle, workspaceState(workspace), 'erasing');
  const { written, item } = await updateItem(table, workspaceKey(workspace.id), {
    set: { erasingSince: toTimestamp(now()) },
    if: unchangedState(workspace),
  });
  return written ? Workspace.parse(item) : undefined;
}

async function wait(
  { table, now }: ErasureRun,
  workspace: Workspace,
  waitMs: number,
  closedAt: string | undefined,
): Promise<void> {
  await updateItem(table, workspaceKey(workspace.id), {
    set: { dueAt: toTimestamp(now() + waitMs), closedAt },
    if: unchangedState(workspace),
  });
}

/** Deletes the workspace itself, the last write. One line remains, in the operators' own log. */
async function finish({ table, now }: ErasureRun, workspace: Workspace): Promise<void> {
  requireMove('workspace', workspaceLifeCycle, workspaceState(workspace), 'gone');
  const { id, name, erasingSince, deletedBy = unknownOperator } = workspace;
  const act = {
    ...{ table, now: now(), workspaceId: stageLog, actor: deletedBy },
    ...{ verb: 'workspace.delete' as const, requestId: `erasure of ${id}` },
  };
  await transact(table, [
    deletePart(table, workspaceKey(id), unchangedState(workspace)),
    deletePart(table, directoryKey(id), unconditionally),
    auditPart(act, { id, name }, `erased, since ${erasingSince}`),
  ]);
}

const unknownOperator = { kind: 'operator', id: 'unknown' } as const;
