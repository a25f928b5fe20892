import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionPorts } from '../../../../lib/automations/actions/ports.ts';
import { runAction } from '../../../../lib/automations/actions/run-action.ts';
import { messageOf } from '../../../../lib/automations/actions/store.ts';
import { nameOf } from '../../../../lib/automations/answered-posts.ts';
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
 * The ports of a worker that crashes at its n-th external call: before the call, or after the call but before its answer
 * is known. After the crash, nothing that the worker does has any effect.
 */
function crashingPorts(crashingCall: number, timing: Timing) {
  let calls = 0;
  const guard = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls > crashingCall || (calls === crashingCall && timing === 'before'))
      throw new Crash('the worker crashed');
    const answer = await call();
    if (calls >= crashingCall) throw new Crash('the worker crashed');
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
  const crashing: ActionPorts = {
    ...ports,
    table,
    commentPlatformFor: () => platform,
    accessToken: (account, item) => guard(() => ports.accessToken(account, item)),
    toolsFor: (name) => guard(() => ports.toolsFor(name)),
    enqueue: (message, delaySeconds) => guard(() => ports.enqueue(message, delaySeconds)),
  };
  return { crashing, callsMade: () => calls };
}

/** @returns how many calls the worker made */
async function workAndCrash(automation: Automation, crashingCall: number, timing: Timing): Promise<number> {
  const { crashing, callsMade } = crashingPorts(crashingCall, timing);
  for (const action of await fixture.actions(automation.id)) {
    try {
      await runAction(crashing, messageOf(action));
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
  return callsMade();
}

const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };
let people = 0;

interface Scene {
  readonly automation: Automation;
  readonly name: string;
  readonly comment: ControlAnswer;
}

async function openScene(changes: Partial<Automation>): Promise<Scene> {
  const name = `person.${++people}`;
  // Each is the first message of its hour, so that all runs make the same calls.
  instagram.advance(hourMs / 1_000);
  const automation = await fixture.automation(changes);
  const comment = await fixture.comment(automation, name);
  fixture.queue.splice(0);
  return { automation, name, comment };
}

/** A person who has tapped, so that the message itself is to be sent. */
async function openTapped(): Promise<Scene> {
  const scene = await openScene({ commentReply: null, followGate });
  await instagram.act('follows', { username: scene.name, follows: true });
  await fixture.runAll(scene.automation);
  await (await fixture.tap((await fixture.messagesTo(scene.name))[0]))();
  fixture.queue.splice(0);
  return scene;
}

/** A person whose message has started the automation. */
async function openWritten(): Promise<Omit<Scene, 'comment'>> {
  const name = `person.${++people}`;
  instagram.advance(hourMs / 1_000);
  const platformPostId = nameOf({ kind: 'direct messages' });
  const automation = await fixture.automation({ platformPostId, commentReply: null });
  await (await fixture.write(name, 'link', { account: fixture.account.username ?? '' }))();
  fixture.queue.splice(0);
  return { automation, name };
}

/** A person whose first private reply has failed, and who has commented again. */
async function openReopened(): Promise<Scene> {
  const scene = await openScene({ commentReply: null });
  await instagram.plan('messages', 'error:551');
  await fixture.runAll(scene.automation);
  const comment = await fixture.comment(scene.automation, scene.name);
  fixture.queue.splice(0);
  return { ...scene, comment };
}

async function crashAtEveryCall<Opened extends Pick<Scene, 'automation'>>(
  open: () => Promise<Opened>,
  timing: Timing,
  check: (scene: Opened) => Promise<void>,
) {
  const crashAt = async (crashingCall: number): Promise<number> => {
    const scene = await open();
    const calls = await workAndCrash(scene.automation, crashingCall, timing);
    await fixture.runToEnd(scene.automation);
    await check(scene);
    return calls;
  };
  const all = await crashAt(Number.POSITIVE_INFINITY);
  expect(all).toBeGreaterThan(5);
  for (let call = 1; call <= all; call += 1) await crashAt(call);
}

describe.each<Timing>(['before', 'after'])('a worker that crashes %s any of its calls', (timing) => {
  it('leaves one public reply, or an unknown outcome if it crashed between intent and call', async () => {
    let unknown = 0;
    await crashAtEveryCall(
      () => openScene({ dmMessage: null }),
      timing,
      async ({ comment, automation }) => {
        const sent = (await fixture.repliesTo(comment)).length;
        const [action] = await fixture.actions(automation.id);
        expect([sent, action?.state]).toEqual(sent === 1 ? [1, 'done'] : [0, 'unknown']);
        const [replies, failures] = [sent, 1 - sent];
        expect(await fixture.counts(automation.id)).toMatchObject({
          matches: 1,
          replies,
          messages: 0,
          failures,
        });
        unknown += failures;
      },
    );
    expect(unknown).toBe(1);
  });

  it('leaves one private message: Instagram accepts one per comment, so the call is repeated', () =>
    crashAtEveryCall(
      () => openScene({ commentReply: null }),
      timing,
      async ({ name, automation }) => {
        expect(await fixture.messagesTo(name)).toHaveLength(1);
        expect(await fixture.actions(automation.id)).toMatchObject([{ state: 'done' }]);
        const counts = { matches: 1, replies: 0, messages: 1, failures: 0 };
        expect(await fixture.counts(automation.id)).toMatchObject(counts);
      },
    ));

  it('leaves one private message to a person who comments again after a failure', () =>
    crashAtEveryCall(openReopened, timing, async ({ name, automation, comment }) => {
      expect(await fixture.messagesTo(name)).toMatchObject([{ commentId: comment.id }]);
      expect(await fixture.actions(automation.id)).toMatchObject([{ state: 'done', stage: 'closed' }]);
      const counts = { matches: 2, messages: 1, failures: 0, failuresByCode: {}, waiting: {} };
      expect(await fixture.counts(automation.id)).toMatchObject(counts);
    }));

  it('leaves one message to a person who has tapped, or an unknown outcome', async () => {
    let unknown = 0;
    await crashAtEveryCall(openTapped, timing, async ({ name, automation }) => {
      const [action] = await fixture.actions(automation.id);
      const isUnknown = action?.state === 'unknown';
      const texts = (await fixture.messagesTo(name)).map(({ text }) => text);
      const granted = isUnknown ? [] : [expect.stringContaining('Here it is')];
      expect(texts).toEqual(['Tap', ...granted]);
      const counts = { messages: 1 + granted.length, failures: 1 - granted.length };
      expect(await fixture.counts(automation.id)).toMatchObject(counts);
      if (isUnknown) unknown += 1;
    });
    expect(unknown).toBe(1);
  });

  it('leaves one message to a person whose message has started it, or an unknown outcome', async () => {
    let unknown = 0;
    await crashAtEveryCall(openWritten, timing, async ({ name, automation }) => {
      const [action] = await fixture.actions(automation.id);
      const isUnknown = action?.state === 'unknown';
      const texts = (await fixture.messagesTo(name)).map(({ text }) => text);
      expect(texts).toEqual(isUnknown ? [] : [expect.stringContaining('Here it is')]);
      const counts = { matches: 1, messages: texts.length, failures: 1 - texts.length };
      expect(await fixture.counts(automation.id)).toMatchObject(counts);
      if (isUnknown) unknown += 1;
    });
    expect(unknown).toBe(1);
  });
});

describe('a call whose answer never comes', () => {
  it.each(['drop-reply', 'timeout', 'timeout-after', 'error:2', 'error-after:2', 'half-json'])(
    '(%s) is looked up, and never sends a second message or reply',
    async (fault) => {
      const { automation, name, comment } = await openScene({});
      await instagram.plan('messages', fault);
      await instagram.plan('replies', fault);
      const [message, reply] = await fixture.runAll(automation);
      const isLost = ['timeout', 'error:2'].includes(fault);
      expect(await fixture.repliesTo(comment)).toHaveLength(isLost ? 0 : 1);
      expect(await fixture.messagesTo(name)).toHaveLength(1);
      expect([message?.state, reply?.state]).toEqual(['done', isLost ? 'unknown' : 'done']);
    },
  );
});
