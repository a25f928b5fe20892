import { stageLog } from '../../../lib/audit/record.ts';
import { dayMs, secondMs } from '../../../lib/kernel/clock.ts';
import { auditPartition } from '../../../lib/table/keys.ts';
import type { Item } from '../../support/database/database.ts';
import type { Committed } from '../cloud/committed.ts';
import type { Service } from '../service.ts';
import type { World } from '../world/world.ts';

/** The days after which nothing of a deleted workspace may be left: its grace, and two days for the erasure. */
const erasedAfterDays = 32;

export type ErasureCheck = ReturnType<typeof createErasureCheck>;

/** Follows the deletion of workspaces. Checks that nothing of them is left after their grace. */
export function createErasureCheck(world: World, committed: Committed, { bucket }: Service) {
  const deletedMs = new Map<string, number>();

  committed.listen(({ kind, after }) => {
    if (kind !== 'workspace' || after?.['deleteAfter'] === undefined) return;
    const id = String(after['id']);
    if (!deletedMs.has(id)) deletedMs.set(id, world.now());
  });

  /** Operators have a log of their own. The time to live, which no run has, removes items that have expired. */
  const mayBeLeft = ({ pk, expiresAtSeconds }: Item): boolean =>
    pk === auditPartition(stageLog) || Number(expiresAtSeconds) * secondMs <= world.now();

  return {
    /** True if operators have deleted the workspace. */
    isDeleted: (workspaceId: string): boolean => deletedMs.has(workspaceId),
    checkEnd(): void {
      for (const [id, atMs] of deletedMs) {
        if (world.now() < atMs + erasedAfterDays * dayMs) continue;
        for (const item of committed.items())
          if (JSON.stringify(item).includes(id) && !mayBeLeft(item))
            world.violate(`${item['pk']} ${item['sk']} is left of a deleted workspace`);
        for (const key of bucket.keys())
          if (key.includes(id)) world.violate(`the file ${key} is left of a deleted workspace`);
      }
    },
  };
}
