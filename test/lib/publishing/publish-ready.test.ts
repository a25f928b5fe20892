import { DeleteCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { updateTarget } from '../../../lib/targets/store.ts';
import { takeLease } from '../../../lib/targets/take.ts';
import { operatorAct } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** A target that needs only its last call. Its message arrives a second early. */
async function openReady(options: Parameters<typeof openFixture>[1] = {}): Promise<Fixture> {
  const fixture = await openFixture(table, { nowMs: startMs - secondMs, ...options });
  fixture.platform.isReady = true;
  return fixture;
}

/** The fixture's ports, which do something while the worker waits for the due time. */
function whileWaiting({ ports }: Fixture, act: () => Promise<unknown>): PublishingPorts {
  let isDone = false;
  return {
    ...ports,
    sleep: async (milliseconds) => {
      await ports.sleep(milliseconds);
      if (isDone) return;
      isDone = true;
      await act();
    },
  };
}

/** The fixture's ports, which note each write of the table and each last call. */
function recording({ ports, platform }: Fixture): {
  readonly ports: PublishingPorts;
  readonly steps: string[];
} {
  const steps: string[] = [];
  const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
  const client = new Proxy(table.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: unknown) => {
            if (command instanceof UpdateCommand || command instanceof TransactWriteCommand)
              steps.push('write');
            return send(command);
          }
        : Reflect.get(target, name, target),
  });
  const adapter: typeof platform.adapter = {
    ...platform.adapter,
    goLive: (...call) => {
      steps.push('call');
      return platform.adapter.goLive(...call);
    },
  };
  return { ports: { ...ports, table: { ...table, client }, adapterFor: () => adapter }, steps };
}

describe('a target that needs only its last call', () => {
  it('is left to `publish` by a worker of `upload`', async () => {
    const fixture = await openReady({ target: { sendsFile: true } });
    await fixture.deliver(undefined, 300, { ...fixture.ports, queue: 'upload' });
    expect(fixture.platform.ledger).toEqual([]);
    expect(messageOf(await fixture.find()).queue).toBeUndefined();
  });

  it('goes live on the second, with one write before the call', async () => {
    const fixture = await openReady();
    const { ports, steps } = recording(fixture);
    expect(await fixture.deliver(undefined, 300, ports)).toBe('worked');
    expect(fixture.platform.ledger).toEqual([startMs]);
    expect(steps.slice(0, 2)).toEqual(['write', 'call']);
    expect(fixture.platform.calls.map(({ verb }) => verb)).toEqual(['goLive', 'finish']);
    const { leaseUntil, takes, takenSince, ...target } = await fixture.find();
    expect({ leaseUntil, takes, takenSince }).toEqual({});
    expect(target).toMatchObject({
      status: 'published',
      attempt: 2,
      calls: [{ intentAt: at(0), outcome: 'live' }],
    });
    expect(target.timeline.map(({ event, attempt }) => [event, attempt])).toEqual([
      ['going live', 2],
      ['published', 2],
      ['finished', 2],
    ]);
  });

  it('is held by nobody while its worker waits, and by the worker during the call', async () => {
    const fixture = await openReady();
    const held: (string | undefined)[] = [];
    const note = async () => held.push((await fixture.find()).leaseUntil);
    const { goLive } = fixture.platform.adapter;
    fixture.platform.adapter.goLive = async (...call) => {
      await note();
      return goLive(...call);
    };
    await fixture.deliver(undefined, 300, whileWaiting(fixture, note));
    expect(held).toEqual([undefined, at(14 * secondMs)]);
  });

  it('keeps what was prepared', async () => {
    const fixture = await openReady({ target: { preparation: { containerId: 'c7' } } });
    await fixture.deliver();
    expect(fixture.platform.calls[0]?.job.preparation).toEqual({ containerId: 'c7' });
    expect(await fixture.find()).toMatchObject({
      preparation: { containerId: 'c7' },
      calls: [{ token: { containerId: 'c7' } }],
    });
  });

  it('goes live once, however many workers wait for it', async () => {
    const fixture = await openReady();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => fixture.deliver()));
    expect(fixture.platform.ledger).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'worked')).toHaveLength(1);
    expect(await fixture.status()).toBe('published');
  });

  it('is taken over if its worker crashes, by a message that comes after the end of the lease', async () => {
    const fixture = await openReady({ nowMs: startMs - 2 * secondMs });
    await fixture.deliver();
    expect(fixture.enqueued).toEqual([
      { message: { ...fixture.message, isTakeover: true, sends: 1 }, delaySeconds: 17 },
    ]);
  });

  it('is sent back if its wake is far away, without a write', async () => {
    const fixture = await openReady({ nowMs: startMs - 60 * secondMs });
    const { ports, steps } = recording(fixture);
    expect(await fixture.deliver(undefined, 300, ports)).toBe('early');
    expect(steps).toEqual([]);
    expect(fixture.enqueued).toEqual([{ message: { ...fixture.message, sends: 1 }, delaySeconds: 59 }]);
  });

  it('is recognized as taken by this worker if the response to its write was lost', async () => {
    const fixture = await openReady();
    let isLost = false;
    const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
    const client = new Proxy(table.client, {
      get: (target, name) =>
        name === 'send'
          ? async (command: unknown) => {
              const answer = await send(command);
              if (isLost || !(command instanceof UpdateCommand)) return answer;
              isLost = true;
              // As the SDK repeats it.
              return send(command);
            }
          : Reflect.get(target, name, target),
    });
    expect(await fixture.deliver(undefined, 300, { ...fixture.ports, table: { ...table, client } })).toBe(
      'worked',
    );
    expect(fixture.platform.ledger).toHaveLength(1);
  });
});

/** Another worker takes the target. */
const takeBy = (fixture: Fixture) =>
  takeLease(table, fixture.message, {
    now: fixture.clock.time,
    nearMs: startMs,
    preparableMs: startMs,
    untilMs: startMs + 14 * secondMs,
    writeId: newId(startMs),
  });

describe('no call is made if, while the worker waits, the target', () => {
  it.each<[string, (fixture: Fixture) => Promise<unknown>]>([
    ['is taken by another worker', takeBy],
    [
      'gets another wake, as an edit, a pause or a retry gives it',
      async (fixture) => {
        const wakeAt = at(3_600_000);
        return updateTarget(table, await fixture.find(), { wakeAt }, newId(startMs));
      },
    ],
    [
      'is deleted',
      async ({ message: { workspaceId, postId, accountId } }) =>
        table.client.send(
          new DeleteCommand({ TableName: table.name, Key: targetKey(workspaceId, postId, accountId) }),
        ),
    ],
  ])('%s', async (_title, act) => {
    const fixture = await openReady();
    expect(
      await fixture.deliver(
        undefined,
        300,
        whileWaiting(fixture, () => act(fixture)),
      ),
    ).toBe('lost');
    expect(fixture.platform.calls).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  it('is paused more than five seconds after the worker looked', async () => {
    const fixture = await openReady();
    const { workspaceId, accountId } = fixture.message;
    const ports = whileWaiting(fixture, async () => {
      fixture.clock.time += 6 * secondMs;
      const scope = { kind: 'account', workspaceId, accountId } as const;
      const context = { ...operatorAct('pause.begin'), table, now: fixture.clock.time };
      await putPause(context, { scope, reason: 'a leak' });
    });
    await fixture.deliver(undefined, 300, ports);
    expect(fixture.platform.ledger).toEqual([]);
    expect(await fixture.find()).toMatchObject({ status: 'scheduled', errorDetail: { code: 'paused' } });
  });
});

it('a worker whose write had an error leaves the lease of another worker alone', async () => {
  const fixture = await openReady();
  let other: Target | undefined;
  const waiting = whileWaiting(fixture, async () => {
    const lease = await takeBy(fixture);
    other = lease.state === 'taken' ? lease.target : undefined;
  });
  let hasFailed = false;
  const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
  const client = new Proxy(table.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: unknown) => {
            if (hasFailed || !(command instanceof UpdateCommand)) return send(command);
            hasFailed = true;
            throw new Error('the table does not answer');
          }
        : Reflect.get(target, name, target),
  });
  expect(await fixture.deliver(undefined, 300, { ...waiting, table: { ...table, client } })).toBe('held');
  expect(await fixture.find()).toEqual(other);
  expect(fixture.platform.ledger).toEqual([]);
});

describe('a target is taken before anything else if', () => {
  const call = {
    token: {},
    intentAt: at(-99_000),
    endedAt: at(-98_000),
    outcome: 'open',
    lookups: 0,
    misses: 0,
  } as const;
  it.each<[string, Partial<Target>]>([
    ['it has failed before', { failures: 1, firstFailureAt: at(-90_000) }],
    ['a worker may have crashed with it', { takes: 1, takenSince: at(-90_000) }],
    ['it has waited for a limit', { limitedUntil: at(-1_000) }],
    ['its wake is not its due time', { scheduledFor: at(-60_000) }],
    ['a call of it has no outcome', { calls: [call] }],
    ['its lease has not ended', { leaseUntil: at(-500) }],
    ['it is more than two minutes late', { scheduledFor: at(-122_000), wakeAt: at(-122_000) }],
  ])('%s', async (_title, target) => {
    const fixture = await openReady({ target });
    let isReadyAsked = false;
    fixture.platform.adapter.isReady = () => {
      isReadyAsked = true;
      return true;
    };
    await fixture.deliver();
    expect(isReadyAsked).toBe(false);
  });

  it.each<[string, (fixture: Fixture) => Partial<PublishingPorts>, Partial<Target>]>([
    [
      'its token cannot be refreshed',
      () => ({
        accessToken: async () => {
          throw new PlatformError('retry', 'the platform is down');
        },
      }),
      { status: 'scheduled', failures: 1, error: 'trying again: the platform is down' },
    ],
    [
      'the adapter has something left to prepare',
      ({ platform }) => {
        platform.isReady = false;
        return {};
      },
      { status: 'published', preparation: { containerId: 'c1' } },
    ],
  ])('%s', async (_title, portsOf, expected) => {
    const fixture = await openReady();
    await fixture.deliver(undefined, 300, { ...fixture.ports, ...portsOf(fixture) });
    expect(await fixture.find()).toMatchObject(expected);
    expect(fixture.enqueued.filter(({ message }) => message.isTakeover)).toHaveLength(1);
  });

  it('the message takes over from a worker', async () => {
    const fixture = await openReady();
    await fixture.deliver({ ...fixture.message, isTakeover: true });
    expect(fixture.platform.calls.map(({ verb }) => verb)).toEqual(['prepare', 'goLive', 'finish']);
  });
});

it('a target that crashes the worker that has only looked at it is counted by the message that takes over', async () => {
  const fixture = await openReady();
  const crash = new Promise<never>(() => {});
  void fixture.deliver(undefined, 300, { ...fixture.ports, accessToken: () => crash });
  await expect.poll(() => fixture.enqueued.length).toBe(1);
  const [armed] = fixture.enqueued;
  fixture.clock.time += (armed?.delaySeconds ?? 0) * secondMs;
  const { goLive } = fixture.platform.adapter;
  let counted: Target | undefined;
  fixture.platform.adapter.goLive = async (...call) => {
    counted = await fixture.find();
    return goLive(...call);
  };
  await fixture.deliver({ ...messageOf(await fixture.find()), isTakeover: true });
  expect(counted).toMatchObject({ takes: 1, takenSince: toTimestamp(fixture.clock.time) });
});
