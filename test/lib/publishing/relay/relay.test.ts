import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs, minuteMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { findPost } from '../../../../lib/posts/stored/store.ts';
import { messageOf } from '../../../../lib/publishing/message.ts';
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
beforeAll(async () => {
  table = await createTestTable();
});
beforeEach(() => {
  sent = [];
  names = new Set();
});

function ports(changes: Partial<RelayPorts> = {}): RelayPorts {
  const enqueue: RelayPorts['enqueue'] = async (_message, delay) => void sent.push(`in ${delay} s`);
  const scheduling: SchedulePorts = {
    table,
    now: () => startMs,
    enqueue,
    schedule: async (message, atMs) => {
      names.add(scheduleName(message));
      sent.push(`at ${(atMs - startMs) / minuteMs} min`);
    },
    unschedule: async (message) => {
      names.delete(scheduleName(message));
    },
    report: () => {},
  };
  return {
    table,
    now: () => startMs,
    enqueue,
    stopAutomation: async () => {},
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

describe('a new wake', () => {
  it.each([
    ['near, and one that checks on it', minuteMs, ['in 59 s', 'in 75 s']],
    ['distant', hourMs, ['at 58.5 min']],
  ])('has a message of its own for each target: %s', async (_what, aheadMs, expected) => {
    const outcomes = await relay(targets(3, aheadMs).map(stored), ports());
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(sent).toEqual([...expected, ...expected, ...expected]);
  });

  it('has no check if the target need not be punctual', async () => {
    const looked = targets(1, minuteMs, { status: 'publishing' });
    await relay(looked.map(stored), ports());
    expect(sent).toEqual(['in 60 s']);
  });

  it('has one schedule if the stream repeats the batch', async () => {
    const changes = targets(3, hourMs).map(stored);
    await relay(changes, ports());
    await relay(changes.toReversed(), ports());
    expect(names.size).toBe(3);
  });

  it('is repeated if the queue does not accept its message, and no other is', async () => {
    const [refused, ...others] = targets(3, minuteMs);
    const enqueue: RelayPorts['enqueue'] = async ({ accountId }) => {
      if (accountId === refused?.accountId) throw new Error('the queue does not answer');
    };
    const outcomes = await relay([refused as Target, ...others].map(stored), ports({ enqueue }));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('leaves no schedule when its target is gone', async () => {
    const three = targets(3, hourMs);
    await relay(three.map(stored), ports());
    await relay(three.slice(1).map(removed), ports());
    expect([...names]).toEqual([scheduleName(messageOf(three[0] as Target))]);
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
