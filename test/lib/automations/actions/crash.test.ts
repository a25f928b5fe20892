import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActPorts } from '../../../../lib/automations/actions/ports.ts';
import { runAction } from '../../../../lib/automations/actions/run-action.ts';
import { messageOf } from '../../../../lib/automations/actions/store.ts';
import type { Automation } from '../../../../lib/automations/schemas.ts';
import { hourMs } from '../../../../lib/kernel/clock.ts';
import type { CommentPlatform } from '../../../../lib/platforms/contract/messaging.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { type ControlAnswer, openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  const [table, opened] = await Promise.all([createTestTable(), openInstagram()]);
  instagram = opened;
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
  fixture = await openFixture(table, instagram);
});
afterAll(() => instagram.close());

class Crash extends Error {}
type Timing = 'before' | 'after';

/**
 * The ports of a worker that dies at its n-th call of the fixture: before the call is made, or once it was made and
 * before its answer is known. From then on nothing that the worker does has any effect.
 */
function dyingPorts(fatalCall: number, timing: Timing) {
  let calls = 0;
  const guard = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > fatalCall || (calls === fatalCall && timing === 'before')) throw new Crash('the worker died');
    const answer = await call();
    if (calls >= fatalCall) throw new Crash('the worker died');
    return answer;
  };
  const guardAll = <T extends object>(thing: T): T =>
    new Proxy(thing, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        return typeof value === 'function'
          ? (...given: unknown[]) => guard(async () => value.apply(target, given))
          : value;
      },
    });
  const { ports } = fixture;
  const table: Table = { ...ports.table, client: guardAll(ports.table.client) };
  const platform = guardAll(ports.commentPlatformFor('instagram') as CommentPlatform);
  const dying: ActPorts = {
    ...ports,
    table,
    commentPlatformFor: () => platform,
    accessToken: (account, item) => guard(() => ports.accessToken(account, item)),
    toolsFor: (name) => guard(() => ports.toolsFor(name)),
    enqueue: (message, delaySeconds) => guard(() => ports.enqueue(message, delaySeconds)),
  };
  return { dying, callsMade: () => calls };
}

/** @returns how many calls the worker made */
async function workAndDie(rule: Automation, fatalCall: number, timing: Timing): Promise<number> {
  const { dying, callsMade } = dyingPorts(fatalCall, timing);
  for (const action of await fixture.actions(rule.id)) {
    try {
      await runAction(dying, messageOf(action));
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
  return callsMade();
}

const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };
let people = 0;

interface Scene {
  readonly rule: Automation;
  readonly name: string;
  readonly comment: ControlAnswer;
}

async function openScene(changes: Partial<Automation>): Promise<Scene> {
  const name = `mortal.${++people}`;
  // Each is the first message of its hour, so that all take the same way.
  instagram.advance(hourMs / 1_000);
  const rule = await fixture.rule(changes);
  const comment = await fixture.comment(rule, name);
  fixture.queue.splice(0);
  return { rule, name, comment };
}

/** A person who has tapped: the message itself is to be sent. */
async function openTapped(): Promise<Scene> {
  const scene = await openScene({ commentReply: null, followGate });
  await instagram.act('follows', { username: scene.name, follows: true });
  await fixture.runToEnd(scene.rule);
  await (await fixture.tap((await fixture.messagesTo(scene.name))[0]))();
  fixture.queue.splice(0);
  return scene;
}

async function dieAtEveryCall(
  open: () => Promise<Scene>,
  timing: Timing,
  judge: (scene: Scene) => Promise<void>,
) {
  const dieAt = async (fatalCall: number): Promise<number> => {
    const scene = await open();
    const calls = await workAndDie(scene.rule, fatalCall, timing);
    await fixture.runToEnd(scene.rule);
    await judge(scene);
    return calls;
  };
  const all = await dieAt(Number.POSITIVE_INFINITY);
  expect(all).toBeGreaterThan(5);
  for (let call = 1; call <= all; call += 1) await dieAt(call);
}

describe.each<Timing>(['before', 'after'])('a worker that dies just %s any of its calls', (timing) => {
  it('leaves one public reply', () =>
    dieAtEveryCall(
      () => openScene({ dmMessage: null }),
      timing,
      async ({ comment, rule }) => {
        expect(await fixture.repliesTo(comment)).toHaveLength(1);
        expect(await fixture.counts(rule.id)).toEqual({ matches: 1, replies: 1, messages: 0, failures: 0 });
      },
    ));

  it('leaves one private message; none, and says so, where it died between intent and call', async () => {
    let unknown = 0;
    await dieAtEveryCall(
      () => openScene({ commentReply: null }),
      timing,
      async ({ name, rule }) => {
        const sent = (await fixture.messagesTo(name)).length;
        const [action] = await fixture.actions(rule.id);
        expect([sent, action?.state]).toEqual(sent === 1 ? [1, 'done'] : [0, 'unknown']);
        const [messages, failures] = [sent, 1 - sent];
        expect(await fixture.counts(rule.id)).toEqual({ matches: 1, replies: 0, messages, failures });
        unknown += failures;
      },
    );
    expect(unknown).toBe(1);
  });

  it('leaves one message to who has tapped', () =>
    dieAtEveryCall(openTapped, timing, async ({ name, rule }) => {
      expect((await fixture.messagesTo(name)).map(({ text }) => text)).toEqual([
        'Tap',
        expect.stringContaining('Here it is'),
      ]);
      expect(await fixture.counts(rule.id)).toMatchObject({ messages: 2, failures: 0 });
    }));
});

describe('an answer of Instagram that never comes', () => {
  it.each(['drop-reply', 'timeout', 'timeout-after', 'error:2', 'error-after:2', 'half-json'])(
    '(%s) is asked about, and never answered with a second message or reply',
    async (fault) => {
      const { rule, name, comment } = await openScene({});
      await instagram.plan('messages', fault);
      await instagram.plan('replies', fault);
      const [message, reply] = await fixture.runAll(rule);
      const isDone = !['timeout', 'error:2'].includes(fault);
      expect(await fixture.repliesTo(comment)).toHaveLength(1);
      expect(await fixture.messagesTo(name)).toHaveLength(isDone ? 1 : 0);
      expect([message?.state, reply?.state]).toEqual([isDone ? 'done' : 'unknown', 'done']);
    },
  );
});
