import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { endPause, putPause } from '../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { rollUpPost } from '../../../lib/posts/roll-up.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { toListedPostView, toPostView } from '../../../lib/posts/view/to-view.ts';
import {
  type RelayPorts,
  relayChanges,
  type TargetChange,
  toRelay,
} from '../../../lib/publishing/relay/relay.ts';
import { countLater } from '../../../lib/punctuality/count.ts';
import { readPunctuality } from '../../../lib/punctuality/read.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { punctualityKey, targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { summarise, type Target } from '../../../lib/targets/schemas.ts';
import { toTiming } from '../../../lib/targets/timing.ts';
import { actOf, operatorAct } from '../../support/acts.ts';
import { aTarget, startMs } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const figures = ({ message: { workspaceId }, clock }: Pick<Fixture, 'message' | 'clock'>, days = 7) =>
  readPunctuality({ table, workspaceId, now: clock.time }, days);
const timing = async (fixture: Fixture) => toTiming(summarise(await fixture.find()));

/** Runs the fixture to its end, and relays the change that made its target live. */
async function runToEnd(fixture: Fixture): Promise<Target> {
  const end = await fixture.runToEnd();
  const { publishedAt: _publishedAt, ...before } = end;
  await relay(
    [{ before: { ...before, status: 'publishing' }, after: end, atMs: startMs }],
    relayPorts(table),
  );
  return end;
}

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
      afterRequestMs: null,
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
    const expected = {
      scheduledFor: at(0),
      calledAt: at(300),
      liveAt: at(1_500),
      lateMs: 300,
      afterRequestMs: null,
    };
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
      afterRequestMs: null,
    });
  });

  it('counts from the request if it goes live at once', async () => {
    const fixture = await openFixture(table, { nowMs: startMs + 300, target: { isImmediate: true } });
    await fixture.runToEnd();
    expect(await timing(fixture)).toMatchObject({ lateMs: null, afterRequestMs: 300 });
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
        atFirstTry: null,
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
      await runToEnd(last);
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

  it('says by platform how many went live at the first try', async () => {
    const workspaceId = newId(startMs);
    for (const [platform, failures] of [
      ['instagram', 0],
      ['instagram', 0],
      ['instagram', 2],
      ['youtube', 0],
    ] as const) {
      const fixture = await openFixture(table, { workspaceId, target: { platform } });
      fixture.platform.script.prepare = Array.from(
        { length: failures },
        () => new PlatformError('retry', 'busy'),
      );
      await runToEnd(fixture);
    }
    expect(await readPunctuality({ table, workspaceId, now: startMs + minuteMs }, 7)).toMatchObject({
      atFirstTry: 3 / 4,
      platforms: [
        { platform: 'instagram', atFirstTry: 2 / 3 },
        { platform: 'youtube', atFirstTry: 1 },
      ],
    });
  });

  it('has no share of first tries for what an earlier release has counted', async () => {
    const fixture = await openFixture(table);
    const { workspaceId } = fixture.message;
    await updateItem(table, punctualityKey(workspaceId, at(0).slice(0, 10), 'instagram'), {
      set: { kind: 'punctuality' },
      add: { count: 5, withinOneSecond: 5, b0: 5 },
      if: unconditionally,
    });
    expect(await figures(fixture)).toMatchObject({ count: 5, atFirstTry: null });
    await runToEnd(fixture);
    expect(await figures(fixture)).toMatchObject({ count: 6, atFirstTry: 1 });
  });

  it('belongs to one workspace', async () => {
    await runToEnd(await openFixture(table));
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
    [
      'nobody: it goes live at once',
      async (fixture) => {
        const target = await fixture.find();
        await updateItem(table, targetKey(target.workspaceId, target.postId, target.accountId), {
          set: { isImmediate: true },
          if: unconditionally,
        });
      },
    ],
  ])('leaves out a destination that has waited for %s', async (_what, wait) => {
    const fixture = await openFixture(table);
    await wait(fixture);
    expect(await runToEnd(fixture)).toMatchObject({ status: 'published' });
    expect(await figures(fixture)).toMatchObject({ count: 0 });
  });

  it('counts a destination that is late because its platform was down: its users have waited', async () => {
    const fixture = await openFixture(table);
    fixture.platform.script.prepare = [new PlatformError('retry', 'busy')];
    await runToEnd(fixture);
    expect(await figures(fixture)).toMatchObject({ count: 1, withinOneSecond: 0, atFirstTry: 0 });
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
    expect(await runToEnd(fixture)).toMatchObject({ platformPostId: 'late-id' });
    expect(await figures(fixture)).toMatchObject({ count: 1 });
  });
});

/** The relay's ports; whatever it does besides counting has no effect here. */
const relayPorts = (given: Table): RelayPorts => ({
  table: given,
  now: () => startMs,
  enqueue: async () => {},
  stopAutomation: async () => {},
  enqueueChain: async () => {},
  enqueueDistant: async () => {},
  report: () => {},
});

/** Changes that make targets of one workspace live. */
function goingLive(workspaceId: string, lateMs: readonly number[]): TargetChange[] {
  return lateMs.map((ms) => {
    const before = aTarget({
      workspaceId,
      postId: newId(startMs),
      status: 'publishing',
      scheduledFor: at(0),
    });
    const live = { status: 'published', publishedAt: at(ms + 100), calledAt: at(ms) } as const;
    return { before, after: { ...before, ...live }, atMs: startMs };
  });
}

const relay = (changes: readonly TargetChange[], given: RelayPorts) =>
  relayChanges(
    changes.map((change) => toRelay(change, {})),
    given,
  );

const figuresOf = (workspaceId: string) =>
  figures({ message: { workspaceId } as never, clock: { time: startMs } });

/** A table that notes the sort keys of the counts that are written to it, and refuses as many of them. */
function countingTable(refused = 0): { readonly given: Table; readonly written: string[] } {
  const written: string[] = [];
  let left = refused;
  const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
  const client = new Proxy(table.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: unknown) => {
            if (
              command instanceof UpdateCommand &&
              `${command.input.Key?.['pk']}`.startsWith('PUNCTUALITY#')
            ) {
              left -= 1;
              if (left >= 0) throw new Error('the table does not answer');
              written.push(`${command.input.Key?.['sk']}`);
            }
            return send(command);
          }
        : Reflect.get(target, name, target),
  });
  return { given: { ...table, client }, written };
}

describe('the relay', () => {
  it('counts all targets of a batch that belong to one item with one write', async () => {
    const [workspaceId, other] = [newId(startMs), newId(startMs)];
    const { given, written } = countingTable();
    await relay(
      [...goingLive(workspaceId, [0, 400, 400, 1_001]), ...goingLive(other, [7])],
      relayPorts(given),
    );
    expect(written).toHaveLength(2);
    expect(await figuresOf(workspaceId)).toMatchObject({ count: 4, withinOneSecond: 3 / 4 });
    expect(await figuresOf(other)).toMatchObject({ count: 1 });
  });

  it('leaves a count that fails to the sweep, which makes it once', async () => {
    const workspaceId = newId(startMs);
    const [outcome] = await relay(goingLive(workspaceId, [250]), relayPorts(countingTable(1).given));
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    expect(await figuresOf(workspaceId)).toMatchObject({ count: 0 });
    for (let sweeps = 1; sweeps <= 3; sweeps += 1)
      await sweepOverdue(
        sweepPorts(table, () => startMs + sweeps * minuteMs),
        Number.POSITIVE_INFINITY,
      );
    expect(await figuresOf(workspaceId)).toMatchObject({ count: 1, worstMs: expect.closeTo(250, -1) });
  });

  it('counts a change that the stream repeats when it succeeds, not before', async () => {
    const workspaceId = newId(startMs);
    const [live] = goingLive(workspaceId, [5]) as [TargetChange];
    const repeated = [{ ...live, after: { ...(live.after as Target), startsChain: true } }];
    const refusing = { ...relayPorts(table), enqueueChain: () => Promise.reject(new Error('no answer')) };
    expect(await relay(repeated, refusing)).toMatchObject([{ status: 'rejected' }]);
    expect(await figuresOf(workspaceId)).toMatchObject({ count: 0 });
    await relay(repeated, relayPorts(table));
    expect(await figuresOf(workspaceId)).toMatchObject({ count: 1 });
  });
});

it('the task of an earlier release counts nothing if it has run before, or was never stored', async () => {
  const fixture = await openFixture(table);
  const { workspaceId, postId, accountId } = fixture.message;
  const count = { workspaceId, postId, accountId, platform: 'instagram', calledAt: at(0), lateMs: 5 };
  await countLater(table, count);
  expect(await figures(fixture)).toMatchObject({ count: 0 });
});
