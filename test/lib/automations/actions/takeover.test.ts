import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActionPorts } from '../../../../lib/automations/actions/ports.ts';
import { actionKey, findAction } from '../../../../lib/automations/actions/store.ts';
import type { Automation, AutomationAction } from '../../../../lib/automations/schemas.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import type { CommentPlatform } from '../../../../lib/platforms/contract/messaging.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { type ControlAnswer, openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  [table, instagram] = await Promise.all([createTestTable(), openInstagram()]);
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
  fixture = await openFixture(table, instagram);
});
afterAll(() => instagram.close());

let people = 0;
let automation: Automation;
let comment: ControlAnswer;
beforeEach(async () => {
  people += 1;
  fixture.queue.splice(0);
  fixture.errors.splice(0);
  automation = await fixture.automation({ dmMessage: null });
  comment = await fixture.comment(automation, `taken.${people}`);
});
const action = async () => (await fixture.actions(automation.id))[0] as AutomationAction;

/** The ports of a worker whose public reply goes through `reply`. */
function replying(
  reply: (send: () => Promise<{ replyId: string }>) => Promise<{ replyId: string }>,
): ActionPorts {
  const real = fixture.ports.commentPlatformFor('instagram') as CommentPlatform;
  const replyPublicly: CommentPlatform['replyPublicly'] = (request, tools) =>
    reply(() => real.replyPublicly(request, tools));
  return { ...fixture.ports, commentPlatformFor: () => ({ ...real, replyPublicly }) };
}

/** Kills the worker at its public reply: nothing that it does afterwards has any effect. */
async function killAtReply(isSent: boolean): Promise<void> {
  const reached = new Promise<void>((resolve) => {
    const ports = replying(async (send) => {
      if (isSent) await send();
      resolve();
      return new Promise(() => {});
    });
    void fixture.work(ports);
  });
  await reached;
  fixture.heartbeats.clear();
}

/** Works the messages that arrive in the next seconds. No sweep runs. */
async function workFor(seconds: number): Promise<string[]> {
  const outcomes: string[] = [];
  for (let second = 0; second < seconds; second += 1) {
    instagram.advance(1);
    outcomes.push(...(await fixture.work()));
  }
  return outcomes;
}

describe('if a worker is killed', () => {
  it('after its reply was posted, another records the reply within 20 seconds', async () => {
    await killAtReply(true);
    expect(await workFor(20)).toEqual(['done']);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
  });

  it('before its reply was posted, another asks Instagram within 20 seconds, and posts nothing', async () => {
    await killAtReply(false);
    expect(await workFor(20)).toEqual(['intended', 'intended']);
    expect((await action()).calls).toMatchObject([{ outcome: 'open', lookups: 2 }]);
    expect(await fixture.runToEnd(automation)).toMatchObject([{ state: 'unknown' }]);
    expect(await fixture.repliesTo(comment)).toEqual([]);
  });

  it('after it took the action, another sends the reply within 20 seconds', async () => {
    const dying: ActionPorts = { ...fixture.ports, accessToken: () => new Promise(() => {}) };
    void fixture.work(dying);
    while (fixture.heartbeats.size === 0) await new Promise(setImmediate);
    while (fixture.queue.length === 0) await new Promise(setImmediate);
    fixture.heartbeats.clear();
    expect(await workFor(20)).toEqual(['done']);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
  });
});

it('while a worker lives, its heartbeats keep the lease from other workers', async () => {
  const outcomes: string[] = [];
  const slow = replying(async (send) => {
    for (let beats = 0; beats < 10; beats += 1) {
      outcomes.push(...(await workFor(6)));
      for (const beat of fixture.heartbeats) await beat();
    }
    return send();
  });
  expect(await fixture.work(slow)).toEqual(['done']);
  expect(new Set(outcomes)).toEqual(new Set(['held']));
  expect(await workFor(30)).toEqual([]);
  expect(await fixture.repliesTo(comment)).toHaveLength(1);
});

it('if a worker is killed after its heartbeats, another takes over within 20 seconds of the last one', async () => {
  const reached = new Promise<void>((resolve) => {
    const ports = replying(async (send) => {
      await send();
      for (let beats = 0; beats < 5; beats += 1) {
        await workFor(6);
        for (const beat of fixture.heartbeats) await beat();
      }
      resolve();
      return new Promise(() => {});
    });
    void fixture.work(ports);
  });
  await reached;
  fixture.heartbeats.clear();
  expect((await workFor(20)).at(-1)).toBe('done');
  expect(await fixture.repliesTo(comment)).toHaveLength(1);
});

describe('after an internal error', () => {
  const broken = (): ActionPorts => ({
    ...fixture.ports,
    table: { ...table, client: withoutBatchReads(table.client) },
  });

  it('an action is released, and tried again two seconds later', async () => {
    expect(await fixture.work(broken())).toEqual(['released']);
    expect(fixture.errors).toHaveLength(1);
    const { leaseUntil, wakeAt = '' } = await action();
    expect([leaseUntil, Date.parse(wakeAt) - fixture.clock.now()]).toEqual([undefined, 2 * secondMs]);
    expect(await workFor(2)).toEqual(['done']);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
  });

  it('an action is tried about every minute, and ends after six hours', async () => {
    const begunMs = fixture.clock.now();
    let tries = 0;
    for (; (await action()).wakeAt !== undefined; tries += 1) {
      const wakeMs = Date.parse((await action()).wakeAt ?? '');
      fixture.clock.time = Math.max(fixture.clock.time, wakeMs) + minuteMs;
      fixture.queue.splice(0);
      await fixture.sweep();
      await fixture.work(broken());
    }
    expect(await action()).toMatchObject({
      state: 'failed',
      error: 'not sent: an error on our side (given up after 6 hours)',
    });
    expect(fixture.clock.now() - begunMs).toBeGreaterThan(6 * hourMs);
    expect(tries).toBeLessThan(6 * 60);
  });

  /** A client of the table whose reads of several items fail. */
  function withoutBatchReads(client: Table['client']): Table['client'] {
    const send = (command: object, ...rest: unknown[]) =>
      command.constructor.name === 'BatchGetCommand'
        ? Promise.reject(new Error('the table is not available'))
        : Reflect.apply(client.send, client, [command, ...rest]);
    return new Proxy(client, {
      get: (target, name) => (name === 'send' ? send : Reflect.get(target, name, target)),
    });
  }
});

describe('an action that an earlier release stored with an intent', () => {
  it.each([true, false])('is looked up, and sends nothing (its reply was posted: %s)', async (isPosted) => {
    const { calls: _calls, ...waiting } = await action();
    const intentAt = toTimestamp(fixture.clock.now());
    if (isPosted) await instagram.call('POST', `${comment.id}/replies`, { message: 'Sent you a message!' });
    const former = {
      ...actionKey(waiting as AutomationAction),
      ...waiting,
      state: 'intended',
      intentAt,
      questions: 1,
      content: '{"text":"Sent you a message!"}',
      dueAt: waiting.wakeAt,
      dueShard: 'ACTION-DUE#0',
    };
    await table.client.send(new PutCommand({ TableName: table.name, Item: former }));
    await fixture.runAll(automation);
    expect(await fixture.repliesTo(comment)).toHaveLength(isPosted ? 1 : 0);
    expect(await findAction(table, actionKey(waiting as AutomationAction))).toMatchObject({
      state: isPosted ? 'done' : 'unknown',
      calls: [{ intentAt, outcome: isPosted ? 'live' : 'unknown' }],
    });
  });
});
