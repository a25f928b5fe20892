import type { Act } from '../access/act.ts';
import { auditPart, inStage } from '../audit/record.ts';
import { hourMs, toTimestamp } from '../kernel/clock.ts';
import { HeraldError, invalidField } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { repairTaskItem } from '../overdue/repair-tasks.ts';
import { absent, type Condition, unconditionally } from '../table/condition.ts';
import { getItem } from '../table/items.ts';
import { listedPauseKey, pauseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact } from '../table/transaction.ts';
import { Pause } from './schemas.ts';
import { type PauseScope, pausedText, scopeText } from './scope.ts';

/** The table, the time, and the actor who begins or ends the pause. */
interface PauseContext extends Act {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
}

type Where = Pick<PauseContext, 'table' | 'now'>;

/** The interval at which a pause's task looks for held targets that nobody has processed at the end of their patience. */
export const watchEveryMs = hourMs;

const maxReasonCharacters = 300;

/**
 * Begins a pause. Work that has begun its last call is finished; everything else in the scope waits. A worker may still go live
 * if it read that there is no pause up to ten seconds before.
 *
 * The audit log of the workspace gets an entry or, for a platform, that of the stage.
 *
 * @param reason 1 to 300 characters on one line, shown to users
 * @throws HeraldError `invalid` for any other reason; `conflict` if the scope is paused already
 */
export async function putPause(
  context: PauseContext,
  { scope, reason }: { readonly scope: PauseScope; readonly reason: string },
): Promise<Pause> {
  const pause = newPause(context, scope, reason);
  const parts = [...putPauseParts(context, pause), ...auditParts(context, scope, pause.reason)];
  const outcome = await transact(context.table, parts);
  if (outcome.committed) return pause;
  const present = await findPause(context.table, scope);
  throw new HeraldError(
    'conflict',
    present
      ? `${pausedText(present)} (since ${present.since}). Resume it first`
      : 'the pause has just ended; try again',
  );
}

/** Makes a pause without storing it. @throws HeraldError `invalid` for a reason that is empty, long or not one line */
export function newPause({ now }: Pick<PauseContext, 'now'>, scope: PauseScope, reason: string): Pause {
  const text = reason.trim();
  if (text.length === 0 || text.length > maxReasonCharacters || /\p{Cc}|\u2028|\u2029/u.test(text))
    throw invalidField('reason', `must be 1 to ${maxReasonCharacters} characters on one line`);
  return { id: newId(now), scope: scopeText(scope), reason: text, since: toTimestamp(now) };
}

/**
 * Returns the writes that begin a pause, for a transaction. The first one fails if the scope is paused already. With the pause,
 * they store the task for the targets that it holds, so that nothing depends on the command that ends it.
 */
export function putPauseParts({ table, now }: Where, pause: Pause): TransactionItems {
  const { scope } = pause;
  return [
    putPart(table, { ...pauseKey(scope), kind: 'pause', ...pause }, { pk: absent }),
    putPart(table, { ...listedPauseKey(scope), kind: 'listedPause', ...pause }, unconditionally),
    putPart(table, repairTaskItem({ kind: 'held targets', scope }, now, watchEveryMs), unconditionally),
  ];
}

/**
 * Ends a pause. The task that is then due releases the targets that the pause holds.
 *
 * @returns the pause that has ended
 * @throws HeraldError `not_found` if the scope is not paused
 */
export async function endPause(context: PauseContext, scope: PauseScope): Promise<Pause> {
  const pause = await findPause(context.table, scope);
  if (!pause) throw new HeraldError('not_found', 'no such pause');
  const parts = [...endPauseParts(context, pause), ...auditParts(context, scope)];
  const outcome = await transact(context.table, parts);
  if (!outcome.committed) throw new HeraldError('not_found', 'no such pause: it has just ended');
  return pause;
}

/** Returns the entry of the audit log: the workspace's or, because a platform is paused for all workspaces, the stage's. */
function auditParts(context: PauseContext, scope: PauseScope, reason?: string): TransactionItems {
  if (scope.kind === 'platform') return [auditPart(inStage(context), scope.platform, reason)];
  const { workspaceId } = scope;
  const subjectId = scope.kind === 'account' ? scope.accountId : workspaceId;
  return [auditPart({ ...context, workspaceId }, subjectId, reason)];
}

/** Returns the writes that end a pause, for a transaction. The first one fails if this very pause has already ended. */
export function endPauseParts({ table, now }: Where, pause: Pause): TransactionItems {
  const { scope } = pause;
  return [
    deletePart(table, pauseKey(scope), isStill(pause)),
    deletePart(table, listedPauseKey(scope), unconditionally),
    putPart(table, repairTaskItem({ kind: 'held targets', scope }, now, 0), unconditionally),
  ];
}

const isStill = ({ id }: Pause): Condition => ({ id });

/** Returns the pause of exactly this scope; `undefined` if there is none. */
export async function findPause(table: Table, scope: PauseScope | string): Promise<Pause | undefined> {
  const text = typeof scope === 'string' ? scope : scopeText(scope);
  const item = await getItem(table, pauseKey(text));
  return item && Pause.parse(item);
}
