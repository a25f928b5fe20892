import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import { scheduleName } from '../../../lib/publishing/wake.ts';
import { holdDoubtful } from '../../../lib/recovery/restore/hold.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { getItem, putItem, updateItem } from '../../../lib/table/items.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { startMs, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { openFixture } from '../publishing/fixture.ts';

const gap = { sinceMs: startMs - minuteMs, untilMs: startMs + hourMs };
const tomorrow = toTimestamp(gap.untilMs + dayMs);
const planned = { scheduledFor: tomorrow, wakeAt: tomorrow };

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const ports = () => ({
  table,
  now: () => gap.untilMs,
  uniqueId: () => newId(gap.untilMs),
  report: () => {
    throw new Error('nothing may fail');
  },
});

const hold = (scheduleNames: readonly string[]) => holdDoubtful(ports(), gap, { scheduleNames });

const nameOf = (target: Target) => scheduleName(messageOf(target));

/** A post that nobody has touched, with the name of its schedule. */
async function untouched(): Promise<string> {
  const { targets } = await storePost(table, newId(startMs), [planned]);
  return nameOf(targets[0] as Target);
}

const statusesOf = async ({ workspaceId, postId }: Target) =>
  (await findPost(table, workspaceId, postId))?.targets.map(({ status }) => status);

describe('a planned post whose schedule is gone', () => {
  it('was moved into the gap: it stays live once', async () => {
    const fixture = await openFixture(table, { target: planned });
    const { workspaceId, postId, accountId } = await fixture.find();
    const key = targetKey(workspaceId, postId, accountId);
    const backup = (await getItem(table, key)) ?? {};
    const now = toTimestamp(startMs);
    await updateItem(table, key, {
      set: { scheduledFor: now, wakeAt: now, dueAt: now, wakeNumber: 2 },
      if: { pk: key.pk },
    });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    await putItem(table, backup, unconditionally);
    fixture.clock.time = gap.untilMs;
    expect(await hold([await untouched()])).toMatchObject({ targets: 0, unscheduled: 1, failures: 0 });
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
    expect(fixture.platform.ledger).toHaveLength(1);
  });

  it('was deleted: it waits for a person', async () => {
    const fixture = await openFixture(table, { target: planned });
    fixture.clock.time = gap.untilMs;
    await hold([await untouched()]);
    const target = await fixture.runToEnd();
    expect(target).toMatchObject({ status: 'failed', errorDetail: { code: 'outcome_unknown' } });
    expect(fixture.platform.ledger).toEqual([]);
  });

  it('ends the steps of its chain that may have become posts', async () => {
    const step = {
      kind: 'followUp',
      status: 'waiting',
      accountIds: [],
      content: 'x',
      afterMinutes: 5,
      options: '{}',
    };
    await storePost(table, newId(startMs), [planned], { chain: [step] as never });
    expect(await hold([await untouched()])).toMatchObject({ unscheduled: 1, steps: 1 });
  });

  it('is found once by a second run, and a dry one changes nothing', async () => {
    const { targets } = await storePost(table, newId(startMs), [planned]);
    const [target] = targets as [Target];
    const names = [await untouched()];
    const dry = await holdDoubtful(ports(), gap, { scheduleNames: names, isDryRun: true });
    expect(dry).toMatchObject({ unscheduled: 1 });
    expect(await statusesOf(target)).toEqual(['scheduled']);
    expect(await hold(names)).toMatchObject({ unscheduled: 1 });
    expect(await hold(names)).toMatchObject({ unscheduled: 0 });
  });
});

describe('a planned post', () => {
  const two = [
    { ...planned, accountId: newId(startMs) },
    { ...planned, accountId: newId(startMs + 1) },
  ];

  it.each([
    ['has its schedule', [planned], (targets: readonly Target[]) => targets.map(nameOf)],
    ['has a schedule for each destination', two, (targets: readonly Target[]) => targets.map(nameOf)],
    [
      'was edited, and is scheduled again',
      [planned],
      (targets: readonly Target[]) => targets.map((target) => nameOf({ ...target, wakeNumber: 2 })),
    ],
  ])('that %s stays planned', async (_case, given, namesOf) => {
    const { targets } = await storePost(table, newId(startMs), given);
    expect(await hold(namesOf(targets))).toMatchObject({ unscheduled: 0, failures: 0 });
    for (const target of targets) expect(new Set(await statusesOf(target))).toEqual(new Set(['scheduled']));
  });

  it('of which one destination was moved keeps the other', async () => {
    const { targets } = await storePost(table, newId(startMs), two);
    const [kept] = targets as [Target];
    expect(await hold([nameOf(kept)])).toMatchObject({ unscheduled: 1 });
    expect(await statusesOf(kept)).toEqual(expect.arrayContaining(['scheduled', 'publishing']));
  });

  it('that is due within minutes may have no schedule', async () => {
    const soon = toTimestamp(gap.untilMs + 2 * minuteMs);
    await storePost(table, newId(startMs), [{ scheduledFor: soon, wakeAt: soon }]);
    expect(await hold([])).toMatchObject({ unscheduled: 0 });
  });

  it('is left alone, with everything else, if the group is another one, or was lost', async () => {
    const { targets } = await storePost(table, newId(startMs), [planned]);
    const due = await storePost(table, newId(startMs), [{}]);
    await expect(hold(['another-schedule'])).rejects.toMatchObject({ kind: 'conflict' });
    for (const [target] of [targets, due.targets])
      expect(await statusesOf(target as Target)).toEqual(['scheduled']);
  });
});
