import { beforeEach, describe, expect, it } from 'vitest';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { isCertainRead } from '../../support/certain-read.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const hourMs = 3_600_000;

/** A wake after the due time: its target is taken before anything is read. */
const takenFirst = { scheduledFor: at(-1_000) };

/** The ports of workers that crash right after they have taken the target: from then on, nothing has any effect. */
function fatalPorts({ ports }: Fixture): PublishingPorts {
  let isDead = false;
  const client = new Proxy(ports.table.client, {
    get: (real, name) =>
      name === 'send'
        ? async (command: unknown) => {
            isDead ||= isCertainRead(command);
            if (isDead) throw new Error('the worker ran out of memory');
            return real.send(command as Parameters<typeof real.send>[0]);
          }
        : Reflect.get(real, name, real),
  });
  return { ...ports, table: { ...ports.table, client } };
}

/** Workers take the target and fail, one after the other, each shortly after the lease of the previous one has ended. */
async function failRepeatedly(fixture: Fixture, times: number): Promise<{ takes: number; end: Target }> {
  for (let takes = 0; takes < times; takes += 1) {
    const ports = fatalPorts(fixture);
    const target = await fixture.find();
    if (target.wakeAt === undefined) return { takes, end: target };
    fixture.clock.time = Math.max(
      fixture.clock.time,
      Date.parse(target.leaseUntil ?? target.wakeAt) + 20_000,
    );
    await fixture.deliver(messageOf(target), 300, ports).catch(() => {});
  }
  return { takes: times, end: await fixture.find() };
}

const reason = 'an error on our side (given up after 6 hours)';

const openCall = {
  intentAt: at(-1_000),
  token: {},
  endedAt: at(34_000),
  outcome: 'open' as const,
  lookups: 0,
  misses: 0,
};

const ends: readonly (readonly [string, Partial<Target>, Partial<Target>])[] = [
  ['that is scheduled fails with a reason', takenFirst, { status: 'failed', error: reason }],
  [
    'whose last call has no outcome fails with an unknown outcome',
    { status: 'publishing', calls: [openCall] },
    {
      status: 'failed',
      error: `outcome unknown: check the account on instagram before retrying (${reason})`,
      calls: [{ ...openCall, outcome: 'unknown', proof: reason }],
    },
  ],
  [
    'that is live stays published, and says that it is not finished',
    { status: 'publishing', calls: [openCall], publishedAt: at(-1_000), platformPostId: 'post-1' },
    { status: 'published', error: `published, but not finished: ${reason}` },
  ],
];

describe('a target that no worker can finish', () => {
  it.each(ends)('%s, and its message goes to the dead-letter queue', async (_what, target, expected) => {
    const fixture = await openFixture(table, { target });
    const begunMs = fixture.clock.time;
    const { takes, end } = await failRepeatedly(fixture, 100);
    expect(end).toMatchObject({ ...expected, timeline: [{ event: expect.any(String), attempt: takes + 1 }] });
    expect(end).not.toHaveProperty('wakeAt');
    expect(fixture.deadLetters).toEqual([fixture.message]);
    expect(fixture.platform.calls).toEqual([]);
    // Six hours, plus the longest wait at most.
    expect(fixture.clock.time - begunMs).toBeGreaterThan(6 * hourMs);
    expect(fixture.clock.time - begunMs).toBeLessThan(6.5 * hourMs);
    expect(takes).toBeLessThan(60);
  });

  it('ignores its redriven dead letter until the post is retried', async () => {
    const fixture = await openFixture(table, { target: takenFirst });
    await failRepeatedly(fixture, 100);
    expect(await fixture.deliver()).toBe('obsolete');
    expect(fixture.platform.ledger).toEqual([]);
  });
});

it('forgets earlier crashes once a worker has released the target properly', async () => {
  const fixture = await openFixture(table, { target: { scheduledFor: at(20 * hourMs) } });
  await failRepeatedly(fixture, 20);
  fixture.platform.script.prepare = [{ state: 'waiting', preparation: {}, waitSeconds: 60 }];
  fixture.clock.time += 0.5 * hourMs;
  expect(await fixture.find()).toMatchObject({ takes: 20 });
  expect(await fixture.deliver()).toBe('worked');
  expect(await fixture.find()).not.toHaveProperty('takes');
  fixture.clock.time += 7 * hourMs;
  expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
});

it('does not give up because of a long time between two workers', async () => {
  const fixture = await openFixture(table);
  await failRepeatedly(fixture, 3);
  fixture.clock.time += 15 * hourMs;
  expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
  expect(fixture.platform.ledger).toHaveLength(1);
});

it('retries a target at growing intervals, up to a limit', async () => {
  const fixture = await openFixture(table, { target: takenFirst });
  const gaps: number[] = [];
  for (let takes = 0; takes < 12; takes += 1) {
    const before = fixture.clock.time;
    await failRepeatedly(fixture, 1);
    const { leaseUntil = '' } = await fixture.find();
    gaps.push(Math.round((Date.parse(leaseUntil) - Math.max(before, fixture.clock.time)) / 1_000));
  }
  expect(gaps).toEqual([14, 14, 14, 29, 44, 74, 134, 254, 464, 464, 464, 464]);
});
