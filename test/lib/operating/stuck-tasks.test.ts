import { expect, it } from 'vitest';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import { findStuckTasks } from '../../../lib/operating/stuck-tasks.ts';
import { postponeRepairTask, putRepairTask, repairTaskFromItem } from '../../../lib/overdue/repair-tasks.ts';
import { getItem } from '../../../lib/table/items.ts';
import { repairTaskKey } from '../../../lib/table/keys.ts';
import { openWorkspace, startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

it('finds the repair tasks that have failed three times, whenever they are tried next', async () => {
  const table = await createTestTable();
  const { workspace } = await openWorkspace(table);
  const { post } = await storePost(table, workspace.id, [{}]);
  const fail = async (postId: string, times: number) => {
    const task = { kind: 'roll-up', workspaceId: workspace.id, postId } as const;
    await putRepairTask(table, task, startMs, 0);
    const key = repairTaskKey(sha256(JSON.stringify(task)));
    for (let failures = 0; failures < times; failures += 1)
      await postponeRepairTask(table, repairTaskFromItem((await getItem(table, key)) ?? {}), startMs);
  };
  await fail(post.id, 9);
  await fail(workspace.id, 2);
  expect(await findStuckTasks(table, startMs)).toEqual([
    { id: expect.any(String), task: 'roll-up', failures: 9, dueAt: toTimestamp(startMs + 256 * 60_000) },
  ]);
  expect(await findStuckTasks(table, startMs - 3 * hourMs)).toEqual([]);
});
