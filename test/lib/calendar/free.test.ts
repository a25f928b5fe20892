import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { freeTime, type TakenTime } from '../../../lib/calendar/free.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { calendarEntryKey, targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture } from '../posts/fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
});

const later = '2026-03-01T18:00:00.000Z';

async function aScheduledPost(): Promise<{ postId: string; time: TakenTime }> {
  const { post } = await fixture.create({ scheduledFor: inOneHour });
  const { workspaceId } = fixture.context;
  const time = { workspaceId, postId: post.id, accountId: fixture.instagram.id, scheduledFor: inOneHour };
  return { postId: post.id, time };
}

async function isTaken(time: TakenTime): Promise<boolean> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: calendarEntryKey(time), ConsistentRead: true }),
  );
  return Item !== undefined;
}

describe('a time', () => {
  it('is on the calendar with the post', async () => {
    const { time } = await aScheduledPost();
    expect(await isTaken(time)).toBe(true);
  });

  it('that its target still uses stays taken', async () => {
    const { time } = await aScheduledPost();
    await freeTime(table, time);
    expect(await isTaken(time)).toBe(true);
  });

  it('that its target no longer uses is freed, and freeing it twice is harmless', async () => {
    const { targets } = await storePost(table, fixture.context.workspaceId, [{ accountId: newId(startMs) }]);
    const [target] = targets;
    if (!target?.scheduledFor) throw new Error('no target');
    const time = { ...target, scheduledFor: target.scheduledFor };
    await removeTargetOnly(time);
    for (const _time of [1, 2]) await freeTime(table, time);
    expect(await isTaken(time)).toBe(false);
  });

  it('that its post returned to stays taken if an old request to free it arrives late', async () => {
    const { postId, time } = await aScheduledPost();
    await editPost(fixture.context, postId, { scheduledFor: later });
    expect(await isTaken(time)).toBe(false);
    await editPost(fixture.context, postId, { scheduledFor: inOneHour });
    await freeTime(table, time);
    expect(await isTaken(time)).toBe(true);
  });

  it('stays taken if the post returns to it while it is being freed', async () => {
    const { postId, time } = await aScheduledPost();
    let before = 0;
    // After entry and target were read, before the deletion.
    const { counted } = countRequests(fixture.context, async (name) => {
      before += 1;
      if (name === 'GetCommand' && before === 2)
        await editPost(fixture.context, postId, { scheduledFor: later });
      if (name === 'DeleteCommand') await editPost(fixture.context, postId, { scheduledFor: inOneHour });
    });
    await freeTime(counted.table, time);
    expect(before).toBe(3);
    expect(await isTaken(time)).toBe(true);
  });

  it('is removed with its post', async () => {
    const { postId, time } = await aScheduledPost();
    await removePost(fixture.context, postId);
    expect(await isTaken(time)).toBe(false);
  });
});

/** Leaves the state of a deleted post whose calendar entry was not removed. */
async function removeTargetOnly(time: TakenTime): Promise<void> {
  const Key = targetKey(time.workspaceId, time.postId, time.accountId);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
}
