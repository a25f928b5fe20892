import { DeleteCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putPause } from '../../../lib/pauses/manage.ts';
import { messageOf, type PublishMessage } from '../../../lib/publishing/message.ts';
import type { PublishingPorts } from '../../../lib/publishing/ports.ts';
import { wakeMessages } from '../../../lib/publishing/wake.ts';
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

/** The messages that stand for one that came a minute before the target is due. */
const sentBack = (message: PublishMessage) => [
  { message: { ...message, checkAt: toTimestamp(startMs + 15 * secondMs), sends: 1 }, delaySeconds: 59 },
  { message: { ...message, sends: 1 }, delaySeconds: 75 },
];

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

  it('goes live on the second, with two writes before the call: the lease and the intent', async () => {
    const fixture = await openReady();
    const { ports, steps } = recording(fixture);
    expect(await fixture.deliver(undefined, 300, ports)).toBe('worked');
    expect(fixture.platform.ledger).toEqual([startMs]);
    expect(steps.slice(0, 3)).toEqual(['write', 'write', 'call']);
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

  it('is held by its worker while that waits, and counted until it is released', async () => {
    const fixture = await openReady();
    const held: unknown[] = [];
    const note = async () => {
      const { leaseUntil, takes } = await fixture.find();
      held.push([leaseUntil, takes]);
    };
    const { goLive } = fixture.platform.adapter;
    fixture.platform.adapter.goLive = async (...call) => {
      await note();
      return goLive(...call);
    };
    await fixture.deliver(undefined, 300, whileWaiting(fixture, note));
    expect(held).toEqual([
      [at(13 * secondMs), 1],
      [at(13 * secondMs), 1],
    ]);
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

  it('tells its adapter about an earlier call', async () => {
    const call = {
      token: {},
      intentAt: at(-99_000),
      endedAt: at(-98_000),
      outcome: 'refused',
      lookups: 0,
      misses: 0,
    } as const;
    for (const calls of [undefined, [call]]) {
      const fixture = await openReady({ target: calls ? { calls } : {} });
      await fixture.deliver();
      expect(fixture.platform.calls[0]?.job.hasEarlierCall).toBe(calls !== undefined);
    }
  });

  it('goes live once, however many workers get its message', async () => {
    const fixture = await openReady();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => fixture.deliver()));
    expect(fixture.platform.ledger).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'worked')).toHaveLength(1);
    expect(await fixture.status()).toBe('published');
  });

  it('is taken over if its worker crashes, by a message that comes after the end of the lease', async () => {
    const fixture = await openReady({ nowMs: startMs - 2 * secondMs });
    await fixture.deliver();
    expect(fixture.enqueued).toEqual([{ message: { ...fixture.message, sends: 1 }, delaySeconds: 15 }]);
  });

  it.each([
    ['sends no other if that message will come after the end of the lease', -2, 0],
    ['sends one if it has the target so late that the lease would end later', 2, 1],
  ])('has a worker that %s', async (_what, takenSeconds, count) => {
    const fixture = await openReady({ nowMs: startMs + takenSeconds * secondMs });
    const checkAt = toTimestamp(startMs + 15 * secondMs);
    expect(await fixture.deliver({ ...fixture.message, checkAt })).toBe('worked');
    expect(fixture.enqueued).toHaveLength(count);
  });

  it('goes live 15 s late if the process that got its message was killed before it took the target', async () => {
    const sentMs = startMs - 60 * secondMs;
    const fixture = await openReady({ nowMs: sentMs });
    const [, check] = wakeMessages(fixture.message, startMs, sentMs, secondMs);
    fixture.clock.time += (check?.delaySeconds ?? Number.NaN) * secondMs;
    expect(await fixture.deliver(check?.message)).toBe('worked');
    expect(fixture.platform.ledger).toEqual([startMs + 15 * secondMs]);
  });

  it('is sent back if its wake is far away, without a request to the table', async () => {
    const fixture = await openReady({ nowMs: startMs - 60 * secondMs });
    const none = new Proxy(table.client, {
      get: () => () => {
        throw new Error('the table was asked');
      },
    });
    const ports = { ...fixture.ports, table: { ...table, client: none } };
    expect(await fixture.deliver(undefined, 300, ports)).toBe('early');
    expect(fixture.enqueued).toEqual(sentBack(fixture.message));
  });

  it('is sent back after a read if its message does not say when its wake is', async () => {
    const fixture = await openReady({ nowMs: startMs - 60 * secondMs });
    const { ports, steps } = recording(fixture);
    const { wakeAt: _wakeAt, ...untimed } = fixture.message;
    expect(await fixture.deliver(untimed, 300, ports)).toBe('early');
    expect(steps).toEqual([]);
    expect(fixture.enqueued).toEqual(sentBack(untimed));
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

  it('is worked although the look at it fails', async () => {
    const fixture = await openReady();
    let hasFailed = false;
    const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
    const client = new Proxy(table.client, {
      get: (target, name) =>
        name === 'send'
          ? async (command: unknown) => {
              if (hasFailed) return send(command);
              hasFailed = true;
              throw new Error('the table does not answer');
            }
          : Reflect.get(target, name, target),
    });
    expect(await fixture.deliver(undefined, 300, { ...fixture.ports, table: { ...table, client } })).toBe(
      'worked',
    );
    expect(await fixture.status()).toBe('published');
  });
});

/** Another worker takes the target, whose lease has ended by then. */
const takeBy = (fixture: Fixture) =>
  takeLease(table, fixture.message, {
    now: startMs + 14 * secondMs,
    nearMs: startMs,
    preparableMs: startMs,
    untilMs: startMs + 28 * secondMs,
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
    expect(fixture.platform.calls.map(({ verb }) => verb)).not.toContain('goLive');
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

it('a target that crashes the worker that waits for it is counted by the message that takes over', async () => {
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
  await fixture.deliver(armed?.message);
  expect(counted).toMatchObject({ takes: 2, takenSince: at(-secondMs) });
});
