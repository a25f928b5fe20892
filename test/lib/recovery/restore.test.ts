import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import { holdDoubtful } from '../../../lib/recovery/restore/hold.ts';
import { scheduleAllWakes } from '../../../lib/recovery/restore/wakes.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { getItem, type Item, putItem } from '../../../lib/table/items.ts';
import { postKey, targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { actOf } from '../../support/acts.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { type Fixture, listOnly, openFixture, usedOnce } from '../publishing/fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const gap = { sinceMs: startMs - minuteMs, untilMs: startMs + hourMs };
const never = () => {
  throw new Error('nothing may fail');
};
const ports = (now = gap.untilMs, using: Table = table) => ({
  table: using,
  now: () => now,
  uniqueId: () => newId(now),
  report: never,
});

/** The items of the fixture's post, as a backup keeps them. */
async function backUp({ find }: Fixture): Promise<Item[]> {
  const { workspaceId, postId, accountId } = await find();
  const keys = [postKey(workspaceId, postId), targetKey(workspaceId, postId, accountId)];
  return Promise.all(keys.map(async (key) => (await getItem(table, key)) ?? {}));
}

async function restore(items: readonly Item[]): Promise<void> {
  for (const item of items) await putItem(table, item, unconditionally);
}

describe('a destination that was due between the backup and the loss', () => {
  it.each([
    ['whose posts can be made once only', usedOnce],
    ['that can only list its posts', listOnly],
  ])('is found at a platform %s, and stays live once', async (_platform, rule) => {
    const fixture = await openFixture(table);
    fixture.platform.rule = rule;
    const backup = await backUp(fixture);
    await fixture.runToEnd();
    await restore(backup);
    fixture.clock.time = gap.untilMs;
    await holdDoubtful(ports(), gap);
    const restored = await fixture.runToEnd();
    expect(fixture.platform.ledger).toHaveLength(1);
    expect(restored).toMatchObject({ status: 'published', platformPostId: 'post-1' });
  });

  const silent = { state: 'unseen' } as const;
  const absent = { state: 'absent', proof: 'the container has expired', preparation: {} } as const;
  it.each([
    ['shows no trace of it', usedOnce, silent],
    ['lists no such post', listOnly, silent],
    ['says that the container of the backup was never published', usedOnce, absent],
  ])('is live once although the platform %s: it waits for a person', async (_case, rule, finding) => {
    const fixture = await openFixture(table);
    fixture.platform.rule = rule;
    const backup = await backUp(fixture);
    await fixture.runToEnd();
    await restore(backup);
    fixture.clock.time = gap.untilMs;
    fixture.platform.script.lookUp = Array.from({ length: 20 }, () => finding);
    await holdDoubtful(ports(), gap);
    const target = await fixture.runToEnd();
    expect(fixture.platform.ledger).toHaveLength(1);
    expect(target).toMatchObject({ status: 'failed', errorDetail: { code: 'outcome_unknown' } });
    expect(target.error).toContain('restored from a backup');
  });

  it('goes live once a person asks for it, if it did not before the loss', async () => {
    const fixture = await openFixture(table);
    fixture.platform.rule = listOnly;
    fixture.clock.time = gap.untilMs;
    await holdDoubtful(ports(), gap);
    const { workspaceId, postId } = await fixture.runToEnd();
    expect(fixture.platform.ledger).toEqual([]);
    const { time: now } = fixture.clock;
    await retryPost({ table, workspaceId, ...actOf(newId(now)), cursorSecret: 'secret', now }, postId);
    const target = await fixture.runToEnd();
    expect(target.status).toBe('published');
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('is live once, whichever moment of its publication the backup has', async () => {
    const moments = await backupsOfAPublication();
    expect(moments.length).toBeGreaterThan(3);
    for (const [index] of moments.entries())
      for (const rule of [usedOnce, listOnly]) {
        table = await createTestTable();
        const fixture = await openFixture(table);
        const backups = await publishKeepingBackups(fixture);
        await restore(backups[index] ?? []);
        fixture.platform.rule = rule;
        fixture.clock.time = gap.untilMs;
        fixture.platform.script.lookUp = index % 2 ? [] : Array.from({ length: 20 }, () => silent);
        await holdDoubtful(ports(), gap);
        await fixture.runToEnd();
        expect([index, fixture.platform.ledger.length]).toEqual([index, 1]);
      }
  }, 120_000);

  it('is changed once: a second run finds nothing, and a dry one changes nothing', async () => {
    const using = await createTestTable();
    const fixture = await openFixture(using);
    const before = await fixture.find();
    const dry = await holdDoubtful(ports(gap.untilMs, using), gap, { isDryRun: true });
    expect(dry).toMatchObject({ targets: 1, failures: 0 });
    expect(await fixture.find()).toEqual(before);
    expect(await holdDoubtful(ports(gap.untilMs, using), gap)).toMatchObject({ targets: 1 });
    const held = await fixture.find();
    expect(await holdDoubtful(ports(gap.untilMs, using), gap)).toMatchObject({ targets: 0 });
    expect(await fixture.find()).toEqual(held);
  });
});

/** Publishes the fixture's target, and returns a backup from before each call of the platform, and from the end. */
async function publishKeepingBackups(fixture: Fixture): Promise<Item[][]> {
  const backups = [await backUp(fixture)];
  const { adapter } = fixture.platform;
  const keeping =
    <Input extends unknown[], Result>(call: (...input: Input) => Promise<Result>) =>
    async (...input: Input) => {
      backups.push(await backUp(fixture));
      return call(...input);
    };
  const watched = {
    ...adapter,
    prepare: keeping(adapter.prepare),
    goLive: keeping(adapter.goLive),
    finish: keeping(adapter.finish),
  };
  const given = { ...fixture.ports, adapterFor: () => watched };
  fixture.platform.script.finish.push({
    state: 'waiting',
    post: { platformPostId: 'post-1', permalink: null },
    preparation: {},
    waitSeconds: 5,
  });
  for (let target = await fixture.find(); target.wakeAt !== undefined; target = await fixture.find()) {
    fixture.clock.time = Math.max(fixture.clock.time, Date.parse(target.wakeAt));
    const { workspaceId, postId, accountId, wakeNumber } = target;
    await fixture.deliver({ workspaceId, postId, accountId, wakeNumber }, 300, given);
  }
  return backups;
}

async function backupsOfAPublication(): Promise<Item[][]> {
  return publishKeepingBackups(await openFixture(table));
}

describe('what is due after the gap', () => {
  const later = toTimestamp(gap.untilMs + minuteMs);

  it('goes live at its time', async () => {
    const fixture = await openFixture(table, { target: { scheduledFor: later, wakeAt: later } });
    await holdDoubtful(ports(), gap);
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'published', publishedAt: later });
  });

  it('is scheduled again: near wakes with a message, distant ones with a schedule', async () => {
    const using = await createTestTable();
    const workspaceId = newId(startMs);
    const distant = toTimestamp(gap.untilMs + 30 * dayMs);
    const near = toTimestamp(gap.untilMs + 30 * secondMs);
    await storePost(using, workspaceId, [{ scheduledFor: near, wakeAt: near }]);
    await storePost(using, workspaceId, [{ scheduledFor: distant, wakeAt: distant }]);
    const sent: { message: PublishMessage; delaySeconds: number }[] = [];
    const schedules: { message: PublishMessage; atMs: number }[] = [];
    const wakes = {
      ...ports(gap.untilMs, using),
      enqueue: async (message: PublishMessage, delaySeconds: number) =>
        void sent.push({ message, delaySeconds }),
      schedule: async (message: PublishMessage, atMs: number) => void schedules.push({ message, atMs }),
    };
    expect(await scheduleAllWakes(wakes, { isDryRun: true })).toEqual({ wakes: 2, failures: 0 });
    expect([...sent, ...schedules]).toEqual([]);
    expect(await scheduleAllWakes(wakes)).toEqual({ wakes: 2, failures: 0 });
    expect(sent).toMatchObject([{ delaySeconds: 29 }, { delaySeconds: 45 }]);
    expect(schedules).toMatchObject([{ atMs: Date.parse(distant) - 1.5 * minuteMs }]);
  });
});

it('ends the steps of a chain that may have become posts, and keeps those that come later', async () => {
  const using = await createTestTable();
  const workspaceId = newId(startMs);
  const step = (afterMinutes: number) =>
    ({
      kind: 'followUp',
      status: 'waiting',
      accountIds: [],
      content: 'x',
      afterMinutes,
      options: '{}',
    }) as const;
  const { post } = await storePost(using, workspaceId, [{ startsChain: true } as Partial<Target>], {
    chain: [step(5), step(240)] as never,
    chainWakeAt: toTimestamp(startMs + 5 * minuteMs),
  });
  expect(await holdDoubtful(ports(gap.untilMs, using), gap)).toMatchObject({ targets: 1, steps: 1 });
  const { chain = [] } = (await findPost(using, workspaceId, post.id))?.post ?? {};
  expect(chain.map(({ status }) => status)).toEqual(['failed', 'waiting']);
  expect(chain[0]?.error).toContain('create it again');
});
