import { beforeAll, describe, expect, it } from 'vitest';
import { countPlanned } from '../../../../lib/calendar/read.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { readPost } from '../../../../lib/posts/read.ts';
import { removePost } from '../../../../lib/posts/remove.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { auditLogOf } from '../../../support/audit-log.ts';
import { startMs, storeAccount } from '../../../support/builders.ts';
import { freeLeftTimes } from '../../../support/freed-times.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, openFixture, refusalsOf } from '../fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
let accountIds: string[];
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
  accountIds = await fiftyAccounts();
});

const inTwoHours = '2026-03-01T14:00:00.000Z';

async function fiftyAccounts(): Promise<string[]> {
  const accounts = Array.from({ length: 50 }, (_, index) =>
    storeAccount(table, fixture.context.workspaceId, { platformAccountId: `${index}` }),
  );
  return (await Promise.all(accounts)).map(({ id }) => id);
}

const toAll = (ids: readonly string[]) => ids.map((accountId) => ({ accountId }));

/** The distinct numbers of times taken per account; a single number if the calendars agree. */
async function takenOnEach(): Promise<number[]> {
  const counts = accountIds.map((id) => countPlanned(table, fixture.context.workspaceId, id, startMs));
  return [...new Set(await Promise.all(counts))];
}

/** Counts the entries of the audit log about a post. */
async function entriesOf(postId: string | undefined): Promise<number> {
  const log = await auditLogOf(table, fixture.context.workspaceId);
  return log.filter(({ subjectId }) => subjectId === postId).length;
}

/** Frees the times that the relay would free after each target's change. */
async function relay(before: readonly Target[], after: readonly Target[]): Promise<void> {
  for (const target of before) {
    const now = after.find(({ accountId }) => accountId === target.accountId);
    await freeLeftTimes(table, target, now);
  }
}

describe('a post with more targets and times than one transaction holds', () => {
  it('has its times on all calendars, also after an edit, and removes them when it is deleted', async () => {
    const scheduled = { platforms: toAll(accountIds), scheduledFor: inOneHour };
    const { post, targets } = await fixture.create(scheduled, { idempotencyKey: 'large' });
    expect(await takenOnEach()).toEqual([1]);
    const moved = await editPost(fixture.context, post.id, { scheduledFor: inTwoHours });
    await relay(targets, moved.targets);
    expect(await takenOnEach()).toEqual([1]);
    await removePost(fixture.context, post.id);
    await relay(moved.targets, []);
    expect(await takenOnEach()).toEqual([0]);
    expect(await entriesOf(post.id)).toBe(3);
  });

  it('takes its times once if the request is repeated concurrently', async () => {
    const scheduled = { platforms: toAll(accountIds), scheduledFor: inOneHour };
    const created = await Promise.all(
      [1, 2, 3].map(() => fixture.create(scheduled, { idempotencyKey: 'at once' })),
    );
    const [id, ...others] = new Set(created.map(({ post }) => post.id));
    expect(others).toEqual([]);
    expect(await takenOnEach()).toEqual([1]);
    expect(await entriesOf(id)).toBe(1);
    await removePost(fixture.context, id ?? '');
    await relay(created[0]?.targets ?? [], []);
  });

  it('can have 48 of fifty destinations replaced in one request, which takes all hundred places', async () => {
    const { post, targets } = await fixture.create({ platforms: toAll(accountIds), scheduledFor: inOneHour });
    const platforms = toAll([...accountIds.slice(48), ...(await fiftyAccounts()).slice(2)]);
    const moved = await editPost(fixture.context, post.id, { platforms });
    expect(moved.targets).toHaveLength(50);
    expect(await entriesOf(post.id)).toBe(2);
    await removePost(fixture.context, post.id);
    await relay([...targets, ...moved.targets], []);
  });

  it('cannot have all fifty destinations replaced in one request, and stays unchanged', async () => {
    const { post } = await fixture.create({ platforms: toAll(accountIds), scheduledFor: inOneHour });
    const platforms = toAll(await fiftyAccounts());
    expect(await refusalsOf(editPost(fixture.context, post.id, { platforms }))).toEqual([
      'platforms: too many destinations are replaced in one request; use two requests',
    ]);
    expect(
      (await readPost(fixture.context, post.id)).targets.map(({ accountId }) => accountId).sort(),
    ).toEqual(accountIds.toSorted());
    expect(await takenOnEach()).toEqual([1]);
  });
});
