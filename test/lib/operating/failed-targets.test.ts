import { beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { findFailedTargets } from '../../../lib/operating/failed-targets.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { changeTarget, openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const problem = { code: 'platform_rejected', text: 'no' } as const;

/** Stores a post whose only target fails at that time. */
async function fail(workspaceId: string, failedMs: number, platform: Platform = 'threads'): Promise<Target> {
  const { id: accountId } = await storeAccount(table, workspaceId, { platform });
  const { targets } = await storePost(table, workspaceId, [{ platform, accountId }]);
  const failed = { status: 'failed', wakeAt: null, failedAt: toTimestamp(failedMs), problem } as const;
  return changeTarget(table, targets[0] as Target, failed);
}

const postsOf = ({ targets }: { readonly targets: readonly Target[] }) => targets.map(({ postId }) => postId);
const all = { sinceMs: startMs - hourMs, now: startMs, limit: 100 };

describe('the failed targets of all workspaces', () => {
  it('are found since a time, latest first, also across an hour', async () => {
    const [one, other] = [await openWorkspace(table), await openWorkspace(table)];
    const late = await fail(one.workspace.id, startMs - minuteMs);
    const early = await fail(other.workspace.id, startMs - 59 * minuteMs);
    await fail(one.workspace.id, startMs - 61 * minuteMs);
    await storePost(table, one.workspace.id, [{}]);
    expect(await findFailedTargets(table, all)).toEqual({ targets: [late, early], isCut: false });
  });

  it('are found on one platform', async () => {
    const { workspace } = await openWorkspace(table);
    await fail(workspace.id, startMs - minuteMs);
    const wanted = await fail(workspace.id, startMs - minuteMs, 'linkedin');
    expect((await findFailedTargets(table, { ...all, platform: 'linkedin' })).targets).toEqual([wanted]);
  });

  it('are cut at the limit, and it says so', async () => {
    const { workspace } = await openWorkspace(table);
    await fail(workspace.id, startMs - 50 * minuteMs);
    const latest = await fail(workspace.id, startMs - minuteMs);
    expect(await findFailedTargets(table, { ...all, limit: 1 })).toEqual({ targets: [latest], isCut: true });
    expect((await findFailedTargets(table, { ...all, limit: 2 })).isCut).toBe(false);
  });

  it('are gone once they are retried or deleted', async () => {
    const { context } = await openWorkspace(table);
    const [retried, deleted, left] = [
      await fail(context.workspaceId, startMs - minuteMs),
      await fail(context.workspaceId, startMs - minuteMs),
      await fail(context.workspaceId, startMs - minuteMs),
    ];
    await retryPost(context, retried.postId);
    await removePost(context, deleted.postId);
    expect(postsOf(await findFailedTargets(table, all))).toEqual([left.postId]);
  });

  it('are left alone by sweeps: they wait for a person', async () => {
    const { workspace } = await openWorkspace(table);
    await fail(workspace.id, startMs - minuteMs);
    const ports = sweepPorts(table, () => startMs);
    expect(await sweepOverdue(ports, startMs + minuteMs)).toMatchObject({ targets: 0 });
  });

  it('cost a request per hour and shard, whose hours are told', async () => {
    const hours: number[] = [];
    await findFailedTargets(table, { ...all, sinceMs: startMs - 3 * hourMs }, (hour) => hours.push(hour));
    expect(hours).toEqual([0, 1, 2, 3].map((back) => startMs - back * hourMs));
  });
});
