import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { createTestTable } from '../../support/table.ts';
import { at, openStage, type Stage } from './fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const hourMs = 3_600_000;

/** The ports of workers that never get further than to take the target: it kills them, or throws. */
function fatalPorts({ ports }: Stage): PublishingPorts {
  const client = new Proxy(ports.table.client, {
    get: (real, name) =>
      name === 'send'
        ? async (command: unknown) => {
            if (command instanceof BatchGetCommand) throw new Error('the worker ran out of memory');
            return real.send(command as Parameters<typeof real.send>[0]);
          }
        : Reflect.get(real, name, real),
  });
  return { ...ports, table: { ...ports.table, client } };
}

/** Workers take the target one after the other, each a moment after the lease of the last one has ended. */
async function workInVain(stage: Stage, times: number): Promise<{ takes: number; end: Target }> {
  const ports = fatalPorts(stage);
  for (let takes = 0; takes < times; takes += 1) {
    const target = await stage.find();
    if (target.wakeAt === undefined) return { takes, end: target };
    stage.clock.time = Math.max(stage.clock.time, Date.parse(target.leaseUntil ?? target.wakeAt) + 20_000);
    await stage.deliver(messageOf(target), 300, ports).catch(() => {});
  }
  return { takes: times, end: await stage.find() };
}

const reason = 'an error on our side (given up after 6 hours)';

const ends: readonly (readonly [string, Partial<Target>, Partial<Target>])[] = [
  ['that waits for its time fails with a reason', {}, { status: 'failed', error: reason }],
  [
    'whose last call is open ends in doubt, never as if nothing were live',
    { status: 'publishing', intentAt: at(-1_000) },
    {
      status: 'failed',
      error: `outcome unknown: check the account on instagram before retrying (${reason})`,
      intentAt: at(-1_000),
    },
  ],
  [
    'that is live stays published, and says what is missing',
    { status: 'publishing', intentAt: at(-1_000), publishedAt: at(-1_000), platformPostId: 'post-1' },
    { status: 'published', error: `published, but not finished: ${reason}` },
  ],
];

describe('a target that nobody can work', () => {
  it.each(ends)('%s, and its message is among the dead letters', async (_what, target, expected) => {
    const stage = await openStage(table, { target });
    const begunMs = stage.clock.time;
    const { takes, end } = await workInVain(stage, 100);
    expect(end).toMatchObject({ ...expected, timeline: [{ event: expect.any(String), attempt: takes + 1 }] });
    expect(end).not.toHaveProperty('wakeAt');
    expect(stage.setAside).toEqual([stage.message]);
    expect(stage.platform.calls).toEqual([]);
    // Six hours, and no more than the longest wait on top.
    expect(stage.clock.time - begunMs).toBeGreaterThan(6 * hourMs);
    expect(stage.clock.time - begunMs).toBeLessThan(6.5 * hourMs);
    expect(takes).toBeLessThan(60);
  });

  it('may be put back from the dead letters: nothing comes of it until the post is retried', async () => {
    const stage = await openStage(table);
    await workInVain(stage, 100);
    expect(await stage.deliver()).toBe('out of date');
    expect(stage.platform.ledger).toEqual([]);
  });
});

it('forgets workers that died once one has let go of the target in good order', async () => {
  const stage = await openStage(table, { target: { scheduledFor: at(20 * hourMs) } });
  await workInVain(stage, 20);
  stage.platform.script.prepare = [{ state: 'waiting', preparation: {}, waitSeconds: 60 }];
  stage.clock.time += 0.5 * hourMs;
  expect(await stage.find()).toMatchObject({ takes: 20 });
  expect(await stage.deliver()).toBe('worked');
  expect(await stage.find()).not.toHaveProperty('takes');
  stage.clock.time += 7 * hourMs;
  expect(await stage.runToEnd()).toMatchObject({ status: 'published' });
});

it('does not give up because much time went by between two workers', async () => {
  const stage = await openStage(table);
  await workInVain(stage, 3);
  stage.clock.time += 15 * hourMs;
  expect(await stage.runToEnd()).toMatchObject({ status: 'published' });
  expect(stage.platform.ledger).toHaveLength(1);
});

it('sets a target off ever more rarely, however many died of it', async () => {
  const stage = await openStage(table);
  const gaps: number[] = [];
  for (let takes = 0; takes < 12; takes += 1) {
    const before = stage.clock.time;
    await workInVain(stage, 1);
    const { leaseUntil = '' } = await stage.find();
    gaps.push(Math.round((Date.parse(leaseUntil) - Math.max(before, stage.clock.time)) / 1_000));
  }
  expect(gaps).toEqual([60, 60, 60, 75, 90, 120, 180, 300, 510, 510, 510, 510]);
});
