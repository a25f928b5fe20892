import { HeraldError } from '../kernel/errors.ts';
import { absent, anyOf, type Condition, differentFrom, either, present } from '../table/condition.ts';
import { keyDigestKey, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { checkPart, transact, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import type { Workspace } from './schemas.ts';
import { digestsOf, listKeys, secondsOf } from './store.ts';

/**
 * Copies the workspace's suspension, or its absence, to every key. If the workspace is to be deleted, the time to live removes
 * its keys at the end of the grace, so no function needs a right on them. Idempotent. Call it after the workspace itself was
 * changed: keys that are stored from then on have it already.
 *
 * @returns the number of changed key values; a key that is being rotated has two
 * @throws HeraldError `conflict` if the workspace is suspended or resumed at the same time
 */
export async function setKeysSuspended(
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
