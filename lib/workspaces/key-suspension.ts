import { HeraldError } from '../kernel/errors.ts';
import { absent, type Condition, differentFrom, either, present } from '../table/condition.ts';
import { keyDigestKey, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { checkPart, transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import type { Workspace } from './schemas.ts';
import { listKeys } from './store.ts';

/**
 * Makes every key of a workspace carry the workspace's suspension, or none. Idempotent. Call it after the workspace itself was
 * changed: keys that are stored from then on carry it already.
 *
 * @returns how many keys were changed
 * @throws HeraldError `conflict` if the workspace is suspended or resumed at the same time
 */
export async function setKeysSuspended(
  table: Table,
  { id: workspaceId, suspendedAt }: Pick<Workspace, 'id' | 'suspendedAt'>,
): Promise<number> {
  let changed = 0;
  const isOutdated: Condition =
    suspendedAt === undefined
      ? { suspendedAt: present }
      : { [either]: [{ suspendedAt: absent }, { suspendedAt: differentFrom(suspendedAt) }] };
  for (const { digest, revokedAt } of await listKeys(table, workspaceId)) {
    if (revokedAt !== undefined) continue;
    const outcome = await transact(table, [
      checkPart(table, workspaceKey(workspaceId), { suspendedAt: suspendedAt ?? absent }),
      updatePart(table, keyDigestKey(digest), {
        set: { suspendedAt: suspendedAt ?? removed },
        if: { pk: present, ...isOutdated },
      }),
    ]);
    if (outcome.committed) changed += 1;
    else if (outcome.failedIndex === 0)
      throw new HeraldError('conflict', 'workspace: another operator changed it at the same time; try again');
  }
  return changed;
}
