import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { meetWakes } from '../../../lib/publishing/meet-wakes.ts';
import { joinWakes, messageOf, type WakeMessage, wakesOf } from '../../../lib/publishing/message.ts';
import { publishTarget } from '../../../lib/publishing/publish.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { startMs, storeAccount, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

const dueMs = startMs + 60 * secondMs;
const dueAt = at(60 * secondMs);

let table: Table;
let fixture: Fixture;
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(async () => {
  fixture = await openFixture(table, { nowMs: dueMs - 2 * secondMs });
  fixture.platform.isReady = true;
});

/** Returns the timeline entry of a target that was prepared this many seconds before the due time. */
const preparedAt = (seconds: number) => ({
  preparation: { uploaded: 1 },
  timeline: [
    { at: at((60 - seconds) * secondMs), attempt: 1, event: 'prepared' as const, calls: [] },
  ] as Target['timeline'],
});
const early = preparedAt(30);

/** Stores a post whose targets are due together, in the order of their accounts' ids. */
async function dueTogether(...changes: Partial<Target>[]): Promise<Target[]> {
  const workspaceId = newId(startMs);
  const accounts = await Promise.all(changes.map(() => storeAccount(table, workspaceId)));
  const ids = accounts.map(({ id }) => id).sort();
  const { targets } = await storePost(
    table,
    workspaceId,
    changes.map((change, index) => ({
      accountId: ids[index] ?? '',
      scheduledFor: dueAt,
      wakeAt: dueAt,
      ...change,
    })),
    { scheduledFor: dueAt },
  );
  return targets;
}

/** Delivers the message of one or more targets, and says which targets its worker works. */
async function worked(targets: readonly Target[], of: readonly Target[], changes: Partial<WakeMessage> = {}) {
  const [message] = joinWakes(of.map(messageOf));
  const met = await meetWakes({ ...(message as WakeMessage), ...changes }, fixture.ports);
  const worked = met.filter(({ met: { state } }) => state === 'plain');
  return worked.map(({ wake }) => targets.findIndex(({ accountId }) => accountId === wake.accountId));
}

const left = () =>
  fixture.enqueued
    .filter(({ message }) => !message.isTakeover)
    .map(({ message, delaySeconds }) => `${wakesOf(message).length} in ${delaySeconds} s`);

describe('targets that are due together but have a message each', () => {
  it('are worked by the worker of the first, and left to it by the others', async () => {
    const targets = await dueTogether(early, early, early);
    const [first, second, third] = targets as [Target, Target, Target];
    expect(await worked(targets, [second])).toEqual([]);
    expect(left()).toEqual(['1 in 7 s']);
    expect(await worked(targets, [first])).toEqual([0, 1, 2]);
    expect(await worked(targets, [third])).toEqual([]);
  });

  it('are left to nobody if the post has five of them, although some have been taken ahead of their time', async () => {
    const taken = { ...early, leaseUntil: at(70 * secondMs) };
    const targets = await dueTogether(early, early, taken, taken, early);
    const [first, second, , , fifth] = targets as [Target, Target, Target, Target, Target];
    // The worker of the first may have come before the others were taken, and have seen five.
    expect(await worked(targets, [second])).toEqual([1]);
    expect(await worked(targets, [fifth])).toEqual([4]);
    expect(await worked(targets, [first])).toContain(0);
    expect(left()).toEqual([]);
  });

  it('go live at their time, each once', async () => {
    const targets = await dueTogether(early, early);
    const messages = targets.map(messageOf);
    for (const message of messages.toReversed()) {
      fixture.clock.time = dueMs - 2 * secondMs;
      const deadline = fixture.clock.time + 300 * secondMs;
      const met = await meetWakes(message, fixture.ports);
      await Promise.all(met.map((each) => publishTarget(each.wake, fixture.ports, deadline, each.met)));
    }
    expect(fixture.platform.ledger).toHaveLength(2);
    expect(Math.min(...fixture.platform.ledger)).toBe(dueMs);
  });

  it('are worked by the message that comes back if the first one is lost', async () => {
    const targets = await dueTogether(early, early);
    const [, second] = targets as [Target, Target];
    expect(await worked(targets, [second])).toEqual([]);
    fixture.clock.time = dueMs + 5 * secondMs;
    expect(await worked(targets, [second])).toEqual([1]);
  });

  it.each<[string, Partial<Target>[], number[], number[]]>([
    ['one that was prepared a moment ago is left to its own message', [early, preparedAt(9)], [0], [0]],
    ['a message whose target was prepared a moment ago works it', [early, preparedAt(9)], [1], [1]],
    ['one with another time is not worked', [early, { ...early, wakeAt: at(90 * secondMs) }], [0], [0]],
    ['one that has failed before is left to its own message', [early, { ...early, failures: 1 }], [0], [0]],
    ['one that sends a file is left to its own queue', [early, { ...early, sendsFile: true }], [0], [0]],
    [
      'one whose first is not plain is worked by the second',
      [{ ...early, failures: 1 }, early, early],
      [2],
      [],
    ],
    ['a message of several that names the first works all', [early, early, early], [0, 2], [0, 2, 1]],
    ['a message of several that does not is left', [early, early, early], [1, 2], []],
    [
      'more than a worker takes are worked message by message',
      [early, early, early, early, early],
      [0, 1],
      [0, 1],
    ],
    ['targets that nobody has prepared are worked together', [{}, {}], [0], [0, 1]],
    [
      'a message of four that names the first works a fifth, if one of the four is not plain',
      [early, early, early, { ...early, failures: 1 }, early],
      [0, 1, 2, 3],
      [0, 1, 2, 4],
    ],
  ])('%s', async (_what, changes, named, expected) => {
    const targets = await dueTogether(...changes);
    const of = named.flatMap((index) => targets[index] ?? []);
    expect(await worked(targets, of)).toEqual(expected);
  });

  it('are worked by a message whose own target was given another wake meanwhile', async () => {
    const targets = await dueTogether({ ...early, wakeNumber: 2, wakeAt: at(90 * secondMs) }, early, early);
    const [moved] = targets as [Target];
    const [message] = joinWakes([messageOf({ ...moved, wakeNumber: 1, wakeAt: dueAt })]);
    const met = await meetWakes(message as WakeMessage, fixture.ports);
    expect(met.map(({ met: { state } }) => state)).toEqual(['obsolete', 'plain', 'plain']);
  });

  it.each<[string, number, number, number[], string[]]>([
    ['the first is late, and finds those that were left to it', 0, 4_900, [0, 1], []],
    ['the first is later than the messages that were left', 0, 5_000, [0], []],
    ['another would hardly wait', 1, -200, [1], []],
    ['another would wait a moment', 1, -300, [], ['1 in 6 s']],
  ])('if %s', async (_what, index, afterMs, expected, back) => {
    const targets = await dueTogether(early, early);
    fixture.clock.time = dueMs + afterMs;
    expect(await worked(targets, targets.slice(index, index + 1))).toEqual(expected);
    expect(left()).toEqual(back);
  });

  it('are not looked for by a message that takes over from a crashed worker', async () => {
    const targets = await dueTogether(early, early);
    expect(await worked(targets, targets.slice(0, 1), { isTakeover: true })).toEqual([]);
    expect(left()).toEqual([]);
  });

  it('are worked by each worker if the queue does not take back what is left', async () => {
    const targets = await dueTogether(early, early);
    let isFirst = true;
    const enqueue: typeof fixture.ports.enqueue = async (...sent) => {
      if (!isFirst) return fixture.ports.enqueue(...sent);
      isFirst = false;
      throw new Error('the queue is not available');
    };
    const [message] = joinWakes(targets.slice(1).map(messageOf));
    const met = await meetWakes(message as WakeMessage, { ...fixture.ports, enqueue });
    expect(met.map(({ met: { state } }) => state)).toEqual(['plain']);
    expect(fixture.errors).toHaveLength(1);
  });
});
