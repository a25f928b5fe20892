import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runAction } from '../../../../lib/automations/actions/run-action.ts';
import { takeClaimOver } from '../../../../lib/automations/actions/sent-claims.ts';
import type { Automation, AutomationAction } from '../../../../lib/automations/schemas.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
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
let name = '';
beforeEach(() => {
  name = `claimed.${++people}`;
});

const byComment = (actions: readonly AutomationAction[]) =>
  [...actions].sort((one, other) => Number(one.commentId) - Number(other.commentId));
const replyIdOf = (action: AutomationAction | undefined) =>
  action?.kind === 'automationReply' ? action.replyId : undefined;
const messageIdOf = (action: AutomationAction | undefined) =>
  action?.kind === 'automationMessage' ? action.messageId : undefined;

describe('two comments in one thread that get the same reply', () => {
  /** Both comments answer one comment, so both replies are in its list. */
  async function twoComments() {
    const automation = await fixture.automation({ dmMessage: null });
    const thread = await fixture.comment(automation, `${name}.0`, 'hello');
    for (const person of ['1', '2'])
      await fixture.comment(automation, `${name}.${person}`, 'link?', { parentId: thread.id });
    return { automation, thread };
  }
  const end = async (automation: Automation) => byComment(await fixture.runToEnd(automation));

  it.each([
    ['timeout', 'unknown'],
    ['timeout-after', 'done'],
    ['drop-request', 'unknown'],
    ['drop-reply', 'done'],
  ])('are counted as sent once each: if one call is lost (%s), its reply is %s', async (fault, state) => {
    const { automation, thread } = await twoComments();
    await instagram.plan('replies', fault);
    const [lost, other] = await end(automation);
    const ids = (await fixture.repliesTo(thread)).map(({ id }) => id);
    expect([lost?.state, other?.state]).toEqual([state, 'done']);
    const recorded = [lost, other].map(replyIdOf).filter((id) => id !== undefined);
    expect(recorded.sort()).toEqual(ids.sort());
    const failures = state === 'done' ? 0 : 1;
    expect(await fixture.counts(automation.id)).toMatchObject({ replies: 2 - failures, failures });
  });

  it('are counted as sent once if both calls are lost, and one had an effect', async () => {
    const { automation, thread } = await twoComments();
    await instagram.plan('replies', 'timeout-after');
    await instagram.plan('replies', 'timeout');
    const ended = await end(automation);
    const [reply] = await fixture.repliesTo(thread);
    expect(ended.map(({ state }) => state).sort()).toEqual(['done', 'unknown']);
    expect(ended.map(replyIdOf).filter((id) => id !== undefined)).toEqual([reply?.id]);
    expect(await fixture.counts(automation.id)).toMatchObject({ replies: 1, failures: 1 });
  });

  it('belong to the call whose response names them, even if the lookup of another call came first', async () => {
    const { automation, thread } = await twoComments();
    await instagram.plan('replies', 'timeout');
    const [first, second] = fixture.queue
      .splice(0)
      .flatMap(({ message }) => (message.automationId === automation.id ? [message] : []));
    if (!first || !second) throw new Error('two actions are queued');
    expect(await runAction(fixture.ports, first)).toBe('intended');
    // While the second reply is being sent, the lookup of the first call finds it.
    const looking = {
      ...fixture.ports,
      commentPlatformFor: (platform: 'instagram') => {
        const real = fixture.ports.commentPlatformFor(platform);
        if (!real) throw new Error('no platform');
        const replyPublicly: typeof real.replyPublicly = async (request, tools) => {
          const sent = await real.replyPublicly(request, tools);
          instagram.advance(3);
          expect(await runAction(fixture.ports, first)).toBe('done');
          return sent;
        };
        return { ...real, replyPublicly };
      },
    } as Fixture['ports'];
    expect(await runAction(looking, second)).toBe('done');
    const [lost, other] = byComment(await fixture.actions(automation.id));
    const [reply] = await fixture.repliesTo(thread);
    expect(other).toMatchObject({ state: 'done', replyId: reply?.id });
    expect(lost).toMatchObject({ state: 'unknown', error: expect.stringContaining('outcome unknown') });
    expect(await fixture.counts(automation.id)).toMatchObject({ replies: 1, failures: 1 });
  });
});

describe('two automations that send one person the same text', () => {
  const lost = ['timeout', 'timeout-after', 'drop-reply'];

  it.each(lost)('each send their message once, if the response to one is lost (%s)', async (fault) => {
    const automations = [
      await fixture.automation({ commentReply: null }),
      await fixture.automation({ commentReply: null }),
    ];
    for (const automation of automations) await fixture.comment(automation, name);
    await instagram.plan('messages', fault);
    const ended: AutomationAction[] = [];
    for (const automation of automations) ended.push(...(await fixture.runToEnd(automation)));
    const ids = (await fixture.messagesTo(name)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(ended.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(ended.map(messageIdOf).sort()).toEqual(ids.sort());
  });
});

describe('two automations that send one person messages with buttons, which Instagram lists without text', () => {
  const buttons: Automation['buttons'] = [{ type: 'url', title: 'Shop', url: 'https://shop.example/b' }];

  /** Both send their private reply, the first one first. @param faults of the two calls */
  async function sendBoth(faults: readonly string[]) {
    const automations: Automation[] = [];
    for (const dmMessage of ['One', 'Two']) {
      const automation = await fixture.automation({ commentReply: null, dmMessage, buttons });
      automations.push(automation);
      await fixture.comment(automation, name);
    }
    for (const fault of faults) await instagram.plan('messages', fault);
    await fixture.work();
    for (const automation of automations) await fixture.runToEnd(automation);
    const ended = await Promise.all(automations.map(async ({ id }) => (await fixture.actions(id))[0]));
    return { automations, ended, sent: await fixture.messagesTo(name) };
  }
  const states = (actions: readonly (AutomationAction | undefined)[]) =>
    actions.map((action) => action?.state);

  it.each([
    ['drop-request', 'timeout-after'],
    ['timeout', 'drop-reply'],
  ])('have unknown outcomes if only one message has arrived, and no response (%s, %s)', async (...faults) => {
    const { automations, ended, sent } = await sendBoth(faults);
    expect(sent).toHaveLength(1);
    expect(states(ended)).toEqual(['unknown', 'unknown']);
    expect(ended.map(messageIdOf)).toEqual([undefined, undefined]);
    for (const { id } of automations)
      expect(await fixture.counts(id)).toMatchObject({ messages: 0, failures: 1 });
  });

  it.each([
    ['drop-reply', 'drop-reply'],
    ['drop-reply', 'timeout'],
  ])('are done if both messages have arrived (%s, %s)', async (...faults) => {
    const { ended, sent } = await sendBoth(faults);
    expect(sent).toHaveLength(2);
    expect(states(ended)).toEqual(['done', 'done']);
    expect(ended.map(messageIdOf).sort()).toEqual(sent.map(({ id }) => id).sort());
  });

  it('are done if a response names one, whatever the lookup of the other has guessed', async () => {
    const { ended, sent } = await sendBoth(['drop-request']);
    expect(sent).toHaveLength(2);
    expect(states(ended)).toEqual(['done', 'done']);
  });
});

describe('a question that turns out to be the message of another action', () => {
  const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };

  /** A conversation whose outcome is unknown after all, because another one has sent what it is recorded for. */
  async function disproved() {
    const asking = await fixture.automation({ commentReply: null, followGate });
    const other = await fixture.automation({ commentReply: null });
    for (const each of [asking, other]) await fixture.comment(each, name);
    await fixture.work();
    const [question] = await fixture.messagesTo(name);
    const [action] = await fixture.actions(other.id);
    if (!question || !action) throw new Error('a question was sent');
    await takeClaimOver(table, { platform: 'instagram', id: question.id }, action, 'the conversation');
    return { asking, question };
  }

  it('has an unknown outcome, and goes on with a tap on its button, which proves that it has arrived', async () => {
    const { asking, question } = await disproved();
    expect(await fixture.actions(asking.id)).toMatchObject([{ state: 'unknown', stage: 'gated' }]);
    expect(await fixture.counts(asking.id)).toMatchObject({ messages: 0, failures: 1 });
    await instagram.act('follows', { username: name, follows: true });
    instagram.advance(10);
    const deliver = await fixture.tap(question);
    await Promise.all([deliver(), deliver()]);
    await fixture.work();
    expect(await fixture.actions(asking.id)).toMatchObject([{ state: 'done', stage: 'closed' }]);
    expect(await fixture.counts(asking.id)).toMatchObject({ messages: 2, failures: 0, failuresByCode: {} });
  });

  it('is not sent again because of another comment', async () => {
    const { asking } = await disproved();
    const before = (await fixture.messagesTo(name)).length;
    await fixture.comment(asking, name);
    await fixture.work();
    expect(await fixture.messagesTo(name)).toHaveLength(before);
    expect(await fixture.actions(asking.id)).toMatchObject([{ state: 'unknown', stage: 'gated' }]);
  });
});
