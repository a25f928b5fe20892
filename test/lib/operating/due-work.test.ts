import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { firstNoticeKeys } from '../../../lib/accounts/notice-times.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { type DueWork, findEndingAccounts, readDueWork } from '../../../lib/operating/due-work.ts';
import { putRepairTask } from '../../../lib/overdue/repair-tasks.ts';
import { accountKey, targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let workspaceId: string;
beforeEach(async () => {
  table = await createTestTable();
  workspaceId = (await openWorkspace(table)).workspace.id;
});

const at = (milliseconds: number) => toTimestamp(startMs + milliseconds);
const posts = async (now = startMs) => workOf('destinations of posts', (await readDueWork(table, now)).work);
const workOf = (name: string, work: readonly DueWork[]) => work.find((each) => each.work === name);

describe('what is due', () => {
  it('is counted for the next hour, and not beyond', async () => {
    for (const wakeAt of [at(minuteMs), at(59 * minuteMs), at(61 * minuteMs)])
      await storePost(table, workspaceId, [{ wakeAt, dueAt: wakeAt }]);
    expect(await posts()).toMatchObject({ dueNextHour: 2, overdue: 0, oldest: null, isCut: false });
  });

  it('is overdue five minutes after its time, also if a sweep has just looked at it', async () => {
    await storePost(table, workspaceId, [{ wakeAt: at(-hourMs), dueAt: at(minuteMs) }]);
    await storePost(table, workspaceId, [{ wakeAt: at(-4 * minuteMs), dueAt: at(0) }]);
    expect(await posts()).toMatchObject({ overdue: 1, oldest: at(-hourMs) });
  });

  it('is not overdue while a worker holds it', async () => {
    await storePost(table, workspaceId, [{ wakeAt: at(-hourMs), dueAt: at(0), leaseUntil: at(minuteMs) }]);
    expect(await posts()).toMatchObject({ overdue: 0 });
  });

  it('is counted by kind of work', async () => {
    const task = { kind: 'roll-up', workspaceId, postId: workspaceId } as const;
    await putRepairTask(table, task, startMs - hourMs, 0);
    const { work } = await readDueWork(table, startMs);
    expect(workOf('repair tasks', work)).toMatchObject({ overdue: 1, oldest: at(-hourMs) });
    expect(work.filter(({ overdue }) => overdue > 0)).toHaveLength(1);
  });

  it('is reported by its key if it cannot be read', async () => {
    const { targets } = await storePost(table, workspaceId, [{ wakeAt: at(-hourMs), dueAt: at(-hourMs) }]);
    const { postId = '', accountId = '' } = targets[0] ?? {};
    const Key = targetKey(workspaceId, postId, accountId);
    const broken = { UpdateExpression: 'SET attempt = :x', ExpressionAttributeValues: { ':x': 'many' } };
    await table.client.send(new UpdateCommand({ TableName: table.name, Key, ...broken }));
    const { unreadable, work } = await readDueWork(table, startMs);
    expect(unreadable).toEqual([`${Key.pk} ${Key.sk}`]);
    expect(workOf('destinations of posts', work)?.overdue).toBe(1);
  });
});

describe('the accounts whose access ends soon', () => {
  it('are those that end within seven days, soonest first', async () => {
    const ends = [8, 3, 6];
    const stored = [];
    for (const days of ends) {
      const reconnectBy = at(days * dayMs);
      const account = await storeAccount(table, workspaceId, { platform: 'linkedin', reconnectBy });
      const keys = firstNoticeKeys({ ...account, connectedAt: at(-dayMs) });
      await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: accountKey(workspaceId, account.id),
          UpdateExpression: 'SET dueShard = :shard, dueAt = :at',
          ExpressionAttributeValues: { ':shard': keys?.dueShard, ':at': keys?.dueAt },
        }),
      );
      stored.push({ platform: 'linkedin', workspaceId, accountId: account.id, reconnectBy });
    }
    expect(await findEndingAccounts(table, startMs)).toEqual([stored[1], stored[2]]);
  });
});
