import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { endPause, putPause } from '../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { toListedPostView, toPostView } from '../../../lib/posts/view/to-view.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import { countLater } from '../../../lib/punctuality/count.ts';
import { readPunctuality } from '../../../lib/punctuality/read.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import { summarise, type Target } from '../../../lib/targets/schemas.ts';
import { toTiming } from '../../../lib/targets/timing.ts';
import { actOf, operatorAct } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createEngineTable, createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const figures = ({ message: { workspaceId }, clock }: Pick<Fixture, 'message' | 'clock'>, days = 7) =>
  readPunctuality({ table, workspaceId, now: clock.time }, days);
const timing = async (fixture: Fixture) => toTiming(summarise(await fixture.find()));

/** Lets the platform take this long for its last call. */
function slowCall({ platform: { adapter }, clock }: Fixture, milliseconds: number): void {
  const { goLive } = adapter;
  Object.assign(adapter, {
    goLive: async (...call: Parameters<typeof goLive>) => {
      clock.time += milliseconds;
      return goLive(...call);
    },
  });
}

describe('the timing of a destination', () => {
  it('has no call and no lateness until it is live', async () => {
    expect(await timing(await openFixture(table))).toEqual({
      scheduledFor: at(0),
      calledAt: null,
      liveAt: null,
      lateMs: null,
    });
  });

  it('says when the call began and when the platform had answered, in reads and in lists', async () => {
    const fixture = await openFixture(table, { nowMs: startMs + 300 });
    slowCall(fixture, 1_200);
    await fixture.runToEnd();
    const { workspaceId, postId } = fixture.message;
    await rollUpPost(table, workspaceId, postId, fixture.clock.time);
    const found = await findPost(table, workspaceId, postId);
    if (!found) throw new Error('the post was deleted');
    const expected = { scheduledFor: at(0), calledAt: at(300), liveAt: at(1_500), lateMs: 300 };
    expect(toPostView(found.post, '', found.targets).platforms[0]?.timing).toEqual(expected);
    expect(toListedPostView(found.post, '').platforms[0]?.timing).toEqual(expected);
  });

  it('has the time of the intent and the time at the platform if the response was lost', async () => {
    const fixture = await openFixture(table, { nowMs: startMs + 300 });
    fixture.platform.script.goLive = ['reply lost'];
    await fixture.runToEnd();
    expect(fixture.clock.time).toBeGreaterThan(startMs + 2 * secondMs);
    expect(await timing(fixture)).toEqual({
      scheduledFor: at(0),
      calledAt: at(300),
      liveAt: at(300),
      lateMs: 300,
    });
  });

  it('of an item that an earlier release published comes from the record of its call', () => {
    const call = { token: {}, endedAt: at(9), lookups: 0, misses: 0 };
    const target = {
      platform: 'instagram',
      accountId: newId(startMs),
      status: 'published',
      scheduledFor: at(0),
      publishedAt: at(900),
      calls: [
        { ...call, intentAt: at(100), outcome: 'absent' },
        { ...call, intentAt: at(700), outcome: 'live' },
      ],
    } as unknown as Target;
    expect(toTiming(summarise(target))).toMatchObject({ calledAt: at(700), lateMs: 700 });
  });
});

describe('the punctuality of a workspace', () => {
  it('has no figures without posts', async () => {
    expect(await figures(await openFixture(table))).toEqual({
      from: '2026-02-23T00:00:00.000Z',
      to: at(0),
      ...{
        count: 0,
        p50Ms: null,
        p90Ms: null,
        p95Ms: null,
        p99Ms: null,
        worstMs: null,
        withinOneSecond: null,
      },
      platforms: [],
    });
  });

  it('counts each destination by its platform, and by the day of its call', async () => {
    const workspaceId = newId(startMs);
    let last: Fixture | undefined;
    for (const [platform, lateMs] of [
      ['instagram', 0],
      ['instagram', 400],
      ['instagram', 1_001],
      ['youtube', 5_000],
    ] as const) {
      last = await openFixture(table, { workspaceId, nowMs: startMs + lateMs, target: { platform } });
      await last.runToEnd();
    }
    const clock = { time: startMs + minuteMs };
    const fixture = { message: { ...(last as Fixture).message }, clock };
    expect(await figures(fixture, 1)).toMatchObject({
      count: 4,
      p50Ms: expect.closeTo(400, -1),
      worstMs: expect.closeTo(5_000, -2),
      withinOneSecond: 0.5,
      platforms: [
        { platform: 'instagram', count: 3, withinOneSecond: 2 / 3 },
        { platform: 'youtube', count: 1, withinOneSecond: 0 },
      ],
    });
    clock.time += dayMs;
    expect(await figures(fixture, 1)).toMatchObject({ count: 0 });
    expect(await figures(fixture, 2)).toMatchObject({ count: 4 });
  });

  it('belongs to one workspace', async () => {
    await (await openFixture(table)).runToEnd();
    expect(await figures(await openFixture(table))).toMatchObject({ count: 0 });
  });

  it.each<[string, (fixture: Fixture) => unknown]>([
    [
      'a limit of the platform',
      ({ platform: { script } }) => {
        const full = { isDailyLimit: true, retryAfterSeconds: 3_600 };
        script.prepare = [new PlatformError('retry', 'full', full)];
      },
    ],
    [
      'a pause',
      async (fixture) => {
        const scope = { kind: 'workspace', workspaceId: fixture.message.workspaceId } as const;
        const context = () => ({ ...operatorAct('pause.begin'), table, now: fixture.clock.time });
        await putPause(context(), { scope, reason: 'a test' });
        await fixture.deliver();
        fixture.clock.time += hourMs;
        await endPause(context(), scope);
        fixture.clock.time += minuteMs;
        const ports = sweepPorts(table, () => fixture.clock.time);
        await sweepOverdue(ports, Number.POSITIVE_INFINITY);
      },
    ],
    [
      'a person who retries it',
      async (fixture) => {
        fixture.platform.script.prepare = [new PlatformError('rejected', 'no')];
        await fixture.runToEnd();
        const { workspaceId, postId } = fixture.message;
        const context = { table, workspaceId, now: fixture.clock.time, ...actOf('key'), cursorSecret: 's' };
        await retryPost(context, postId);
      },
    ],
  ])('leaves out a destination that has waited for %s', async (_what, wait) => {
    const fixture = await openFixture(table);
    await wait(fixture);
    expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
    expect(await figures(fixture)).toMatchObject({ count: 0 });
  });

  it('counts a destination that is late because its platform was down: its users have waited', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [new PlatformError('retry', 'busy')];
    await fixture.runToEnd();
    expect(await figures(fixture)).toMatchObject({ count: 1, withinOneSecond: 0 });
  });

  it('counts a destination that has an id only later, and one that never gets one', async () => {
    const fixture = await openFixture(table);
    const { script } = fixture.platform;
    const anonymous = { platformPostId: null, permalink: null };
    script.goLive = [anonymous];
    script.finish = [
      { state: 'waiting', post: anonymous, preparation: {}, waitSeconds: 10 },
      { state: 'done', post: { platformPostId: 'late-id', permalink: null } },
    ];
    expect(await fixture.runToEnd()).toMatchObject({ platformPostId: 'late-id' });
    expect(await figures(fixture)).toMatchObject({ count: 1 });
  });
});

/** The write units that the requests of a fixture's workers consume, as the database says. */
async function writeUnits(table: Table, fixture: Fixture): Promise<number> {
  let units = 0;
  const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
  const client = new Proxy(table.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: { readonly input: object }) => {
            Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
            const answer = (await send(command)) as { ConsumedCapacity?: unknown };
            const consumed = [answer.ConsumedCapacity].flat() as readonly {
              WriteCapacityUnits?: number;
              CapacityUnits?: number;
            }[];
            if (/Update|Put|Delete|TransactWrite/.test(command.constructor.name))
              for (const each of consumed) units += each?.CapacityUnits ?? 0;
            return answer;
          }
        : Reflect.get(target, name, target),
  });
  await fixture.deliver(fixture.message, 300, { ...fixture.ports, table: { ...table, client } });
  expect(await fixture.status()).toBe('published');
  return units;
}

it('counting a destination costs 2 write units, and those of its own item once more', async () => {
  // Only the real engine knows what a request consumes.
  const [one, other] = [await createEngineTable(), await createEngineTable()];
  const [counted, uncounted] = [
    // As many bytes as the other, and released by a pause not later than its time, so it counts.
    await writeUnits(one, await openFixture(one, { target: { resumedAt: at(0) } })),
    await writeUnits(other, await openFixture(other, { target: { retriedAt: at(0) } })),
  ];
  expect(uncounted).toBeGreaterThan(0);
  // Without the count, the commit as live would be no transaction. The item has between 1 and 2 KB.
  expect(counted - uncounted).toBe(2 + 2);
});

class Crash extends Error {}

/** The fixture's table, whose n-th request crashes the worker: before it takes effect, or before its answer is known. */
function crashingTable(crashing: number, isBefore: boolean): Table {
  let requests = 0;
  const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
  const client = new Proxy(table.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: unknown) => {
            requests += 1;
            if (requests > crashing || (requests === crashing && isBefore)) throw new Crash();
            const answer = await send(command);
            if (requests === crashing) throw new Crash();
            return answer;
          }
        : Reflect.get(target, name, target),
  });
  return { ...table, client };
}

it('a destination is counted exactly once, whichever request crashes its worker and however it ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      fc.constantFrom('answered', 'reply lost', 'without an id'),
      async (crashing, isBefore, call) => {
        const fixture = await openFixture(table);
        if (call === 'reply lost') fixture.platform.script.goLive = ['reply lost'];
        if (call === 'without an id')
          fixture.platform.adapter.lookUp = async () => ({
            state: 'live',
            post: { platformPostId: null, permalink: null, publishedMs: startMs },
          });
        const worker = { ...fixture.ports, table: crashingTable(crashing, isBefore) };
        await fixture.deliver(fixture.message, 300, worker).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        // The queue repeats the message, whatever the worker has done.
        fixture.clock.time += 2 * minuteMs;
        await fixture.deliver();
        await fixture.deliver(messageOf(await fixture.find()));
        expect(await fixture.runToEnd()).toMatchObject({ status: 'published' });
        expect(await figures(fixture)).toMatchObject({ count: 1 });
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);

describe('if too many destinations are counted at the same moment', () => {
  const isCount = (command: unknown): boolean =>
    command instanceof TransactWriteCommand &&
    JSON.stringify(command.input.TransactItems).includes('PUNCTUALITY#');

  /** A table on which every transaction that counts is in conflict with another one. */
  function contendedTable(): Table {
    const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
    const client = new Proxy(table.client, {
      get: (target, name) =>
        name === 'send'
          ? async (command: unknown) => {
              if (!isCount(command)) return send(command);
              throw new TransactionCanceledException({
                message: 'conflict',
                $metadata: {},
                CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
              });
            }
          : Reflect.get(target, name, target),
    });
    return { ...table, client, backOff: async () => {} };
  }

  it('a destination goes live all the same, and the sweep counts it, once', async () => {
    const fixture = await openFixture(table, { nowMs: startMs + 250 });
    await fixture.deliver(fixture.message, 300, { ...fixture.ports, table: contendedTable() });
    expect(await fixture.find()).toMatchObject({ status: 'published', platformPostId: 'post-1' });
    expect(await figures(fixture)).toMatchObject({ count: 0 });
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      fixture.clock.time += minuteMs;
      await sweepOverdue(
        sweepPorts(table, () => fixture.clock.time),
        Number.POSITIVE_INFINITY,
      );
    }
    expect(await figures(fixture)).toMatchObject({ count: 1, worstMs: expect.closeTo(250, -1) });
  });

  it('the task counts nothing if it has run before, or was never stored', async () => {
    const fixture = await openFixture(table);
    const { workspaceId, postId, accountId } = fixture.message;
    const count = { workspaceId, postId, accountId, platform: 'instagram', calledAt: at(0), lateMs: 5 };
    await countLater(table, count);
    expect(await figures(fixture)).toMatchObject({ count: 0 });
  });
});
