import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { findPost } from '../../../../lib/posts/stored/store.ts';
import { type WakeMessage, wakesOf } from '../../../../lib/publishing/message.ts';
import { keepSchedule, type SchedulePorts } from '../../../../lib/publishing/relay/keep-schedule.ts';
import {
  type RelayPorts,
  relayChanges,
  type TargetChange,
  toRelay,
} from '../../../../lib/publishing/relay/relay.ts';
import { scheduleName } from '../../../../lib/publishing/wake.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { aTarget, changeTarget, startMs, storePost } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
let sent: string[];
let names: Set<string>;
let deleted: string[];
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(() => {
  sent = [];
  names = new Set();
  deleted = [];
});

const countOf = (message: WakeMessage) => wakesOf(message).length;

function ports(changes: Partial<RelayPorts> = {}): RelayPorts {
  const enqueue: RelayPorts['enqueue'] = async (message, delay) =>
    void sent.push(`${countOf(message)} in ${delay} s`);
  const scheduling: SchedulePorts = {
    table,
    now: () => startMs,
    enqueue,
    schedule: async (message, atMs) => {
      names.add(scheduleName(message));
      sent.push(`${countOf(message)} at ${(atMs - startMs) / minuteMs} min`);
    },
    unschedule: async (message) => {
      deleted.push(`${countOf(message)}`);
      return names.delete(scheduleName(message));
    },
    report: () => {},
  };
  return {
    table,
    now: () => startMs,
    enqueue,
    enqueueChain: async () => {},
    enqueueDistant: (wake) => keepSchedule(scheduling, wake),
    report: () => {},
    ...changes,
  };
}

const relay = (changes: readonly TargetChange[], given: RelayPorts) =>
  relayChanges(
    changes.map((change) => toRelay(change, {})),
    given,
  );

/** Targets of one post with a wake so far ahead. */
function targets(count: number, aheadMs: number, changes: Partial<Target> = {}): Target[] {
  const [workspaceId, postId] = [newId(startMs), newId(startMs)];
  const wakeAt = toTimestamp(startMs + aheadMs);
  return Array.from({ length: count }, () =>
    aTarget({ workspaceId, postId, accountId: newId(startMs), scheduledFor: wakeAt, wakeAt, ...changes }),
  );
}

const stored = (after: Target): TargetChange => ({ before: undefined, after, atMs: startMs });
const removed = (before: Target): TargetChange => ({ before, after: undefined, atMs: startMs });

describe('targets of a batch', () => {
  it.each([
    ['of one post at one near time share a message', () => targets(3, minuteMs), ['3 in 59 s']],
    ['of one post at one distant time share a schedule', () => targets(3, hourMs), ['3 at 59 min']],
    [
      'of one post at different times do not',
      () => {
        const three = targets(3, minuteMs);
        return three.map((each, index) => ({
          ...each,
          wakeAt: toTimestamp(startMs + minuteMs + index * secondMs),
          scheduledFor: toTimestamp(startMs + minuteMs + index * secondMs),
        }));
      },
      ['1 in 59 s', '1 in 60 s', '1 in 61 s'],
    ],
    [
      'of different posts do not',
      () => [...targets(1, minuteMs), ...targets(1, minuteMs)],
      ['1 in 59 s', '1 in 59 s'],
    ],
    ['that are many have several messages', () => targets(7, minuteMs), ['4 in 59 s', '3 in 59 s']],
  ])('%s', async (_what, given, expected) => {
    const outcomes = await relay(given().map(stored), ports());
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(sent.sort()).toEqual(expected.sort());
  });

  it('get one schedule if the stream repeats the batch', async () => {
    const changes = targets(3, hourMs).map(stored);
    await relay(changes, ports());
    await relay(changes.toReversed(), ports());
    expect(names.size).toBe(1);
  });

  it('are repeated together if the queue does not accept their message, and no others', async () => {
    const together = targets(2, minuteMs);
    const other = targets(1, 2 * minuteMs);
    const enqueue: RelayPorts['enqueue'] = async (message) => {
      if (countOf(message) === 2) throw new Error('the queue does not answer');
    };
    const outcomes = await relay([...together, ...other].map(stored), ports({ enqueue }));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});

describe('the schedule of outdated wakes', () => {
  it('is deleted with one call if all its targets have changed', async () => {
    const three = targets(3, hourMs);
    await relay(three.map(stored), ports());
    await relay(three.map(removed), ports());
    expect([names.size, deleted]).toEqual([0, ['3']]);
  });

  it('is deleted if each target has one of its own, from an earlier release', async () => {
    const three = targets(3, hourMs);
    for (const each of three) await relay([stored(each)], ports());
    expect(names.size).toBe(3);
    await relay(three.map(removed), ports());
    expect([names.size, deleted]).toEqual([0, ['3', '1', '1', '1']]);
  });

  it('stays if it wakes another target too: the message of an outdated wake has no effect', async () => {
    const [first, ...others] = targets(3, hourMs);
    if (!first) throw new Error('no target');
    await relay([first, ...others].map(stored), ports());
    await relay([removed(first)], ports());
    expect(names.size).toBe(1);
  });
});

describe('the roll-up of a post', () => {
  it('is done once for all targets of a batch that go live', async () => {
    const workspaceId = newId(startMs);
    const accounts = Array.from({ length: 3 }, () => ({ accountId: newId(startMs) }));
    const { post, targets: waiting } = await storePost(table, workspaceId, accounts);
    const changes: TargetChange[] = [];
    for (const before of waiting) {
      const after = await changeTarget(table, before, { status: 'published', wakeAt: null });
      changes.push({ before, after, atMs: startMs });
    }
    await relay(changes, ports());
    const found = await findPost(table, workspaceId, post.id);
    expect(found?.post).toMatchObject({ status: 'published', version: 2 });
  });
});
