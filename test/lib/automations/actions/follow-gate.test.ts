import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tapPayload } from '../../../../lib/automations/actions/taps.ts';
import type { Automation } from '../../../../lib/automations/schemas.ts';
import { dayMs } from '../../../../lib/kernel/clock.ts';
import { type ControlAnswer, openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, linkBaseUrl, openFixture } from '../fixture.ts';

let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  const [table, opened] = await Promise.all([createTestTable(), openInstagram()]);
  instagram = opened;
  fixture = await openFixture(table, instagram);
});
afterAll(() => instagram.close());

const followGate = {
  message: 'Tap to get it',
  buttonLabel: 'Send it',
  notFollowingMessage: 'Follow us first, then tap',
};
const link = `Here it is: ${linkBaseUrl}/r/abcdefghijkl`;

let people = 0;
/** A person who has commented and got the question. */
async function asked(changes: Partial<Automation> = {}) {
  const name = `gated.${++people}`;
  const automation = await fixture.automation({ commentReply: null, followGate, ...changes });
  await fixture.comment(automation, name);
  await fixture.work();
  return { name, automation, newest: async () => (await fixture.messagesTo(name)).at(-1) };
}

const follows = (username: string, state: boolean | null) =>
  instagram.act('follows', { username, follows: state });
const texts = (messages: readonly ControlAnswer[]) => messages.map(({ text }) => text);

describe('with a follow gate', () => {
  it('the first message asks for a tap, and nothing else is sent before the tap', async () => {
    const { name, automation } = await asked();
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toMatchObject([
      {
        text: 'Tap to get it',
        buttons: [
          {
            type: 'postback',
            title: 'Send it',
            payload: tapPayload({ automationId: automation.id, turn: 1 }),
          },
        ],
      },
    ]);
  });

  it.each<[string, boolean | null]>([
    ['a follower', true],
    ['a person whose follow state Instagram does not give', null],
  ])('%s gets the link', async (_who, state) => {
    const { name, automation, newest } = await asked();
    await follows(name, state);
    const deliver = await fixture.tap(await newest());
    await deliver();
    expect(await fixture.work()).toEqual(['done']);
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it', link]);
    expect(await fixture.actions(automation.id)).toMatchObject([{ stage: 'closed', state: 'done' }]);
    expect(await fixture.counts(automation.id)).toMatchObject({ messages: 2, failures: 0 });
  });

  it('a person whose follow state cannot be read gets the link too', async () => {
    const { name, newest } = await asked();
    const deliver = await fixture.tap(await newest());
    await instagram.plan('user_profile', 'error:230');
    await deliver();
    await fixture.work();
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it', link]);
  });

  it('a person who does not follow is asked to, with the same button, until they do', async () => {
    const { name, automation, newest } = await asked();
    for (const turn of [2, 3]) {
      await (await fixture.tap(await newest()))();
      await fixture.work();
      expect(await newest()).toMatchObject({
        text: followGate.notFollowingMessage,
        buttons: [{ title: 'Send it', payload: tapPayload({ automationId: automation.id, turn }) }],
      });
    }
    await follows(name, true);
    await (await fixture.tap(await newest()))();
    await fixture.work();
    expect(texts(await fixture.messagesTo(name)).slice(1)).toEqual([
      followGate.notFollowingMessage,
      followGate.notFollowingMessage,
      link,
    ]);
  });

  it('repeated webhooks of a tap, and second taps on the same button, send nothing twice', async () => {
    const { name, newest } = await asked();
    await follows(name, true);
    const question = await newest();
    const [deliver, deliverSecond] = [await fixture.tap(question), await fixture.tap(question)];
    await Promise.all([deliver(), deliver(), deliverSecond()]);
    await fixture.work();
    await deliver();
    await deliverSecond();
    await fixture.work();
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it', link]);
  });

  it('a tap proves that the question has arrived, even if its outcome was not known', async () => {
    const name = `gated.${++people}`;
    const automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await follows(name, true);
    await instagram.plan('messages', 'drop-reply');
    expect(await fixture.work()).toEqual(['intended']);
    const [question] = await fixture.messagesTo(name);
    await (await fixture.tap(question))();
    await fixture.runToEnd(automation);
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it', link]);
    expect(await fixture.counts(automation.id)).toMatchObject({
      matches: 1,
      replies: 0,
      messages: 2,
      failures: 0,
    });
  });

  it('a question is not taken for the message that follows the tap on it', async () => {
    const name = `gated.${++people}`;
    const automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'drop-reply');
    expect(await fixture.work()).toEqual(['intended']);
    instagram.advance(2);
    await instagram.plan('messages', 'drop-request');
    await (await fixture.tap((await fixture.messagesTo(name))[0]))();
    await fixture.runToEnd(automation);
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it']);
    expect(await fixture.actions(automation.id)).toMatchObject([{ stage: 'asking', state: 'unknown' }]);
  });

  it('if nobody knows whether the second question has arrived, a later tap on the first one goes on', async () => {
    const { name, automation, newest } = await asked();
    const question = await newest();
    const earlier = [await fixture.tap(question), await fixture.tap(question)];
    await earlier[0]?.();
    await instagram.plan('messages', 'drop-request');
    await fixture.runToEnd(automation);
    expect(await fixture.actions(automation.id)).toMatchObject([{ stage: 'asking', state: 'unknown' }]);
    await follows(name, true);
    // The webhook of a double tap comes late, and asks for nothing new.
    await earlier[1]?.();
    expect(await fixture.work()).toEqual([]);
    const deliver = await fixture.tap(question);
    await Promise.all([deliver(), deliver()]);
    await fixture.work();
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it', link]);
    const { messages, failures, failuresByCode } = await fixture.counts(automation.id);
    expect({ messages, failures, failuresByCode }).toEqual({ messages: 2, failures: 0, failuresByCode: {} });
  });

  it('a tap whose webhook comes more than 24 hours late ends the conversation', async () => {
    const { name, automation, newest } = await asked();
    await follows(name, true);
    const deliver = await fixture.tap(await newest());
    instagram.advance(dayMs / 1_000);
    await deliver();
    expect((await fixture.work()).at(-1)).toBe('failed');
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it']);
    expect(await fixture.actions(automation.id)).toMatchObject([
      {
        stage: 'gated',
        error: 'not sent: the person has not answered within the last 24 hours',
        errorCode: 'window_closed',
      },
    ]);
  });

  it('everybody gets the link once the gate was removed', async () => {
    const { name, automation, newest } = await asked();
    await fixture.rewrite({ ...automation, followGate: null });
    await (await fixture.tap(await newest()))();
    await fixture.work();
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it', link]);
  });
});

describe('if Instagram refuses buttons', () => {
  const buttons = [{ type: 'url' as const, title: 'Shop', url: 'https://shop.example/a' }];

  it('the links are in the text, and the next messages are sent without buttons right away', async () => {
    await instagram.put('settings', { templates: 'refused' });
    const automation = await fixture.automation({ commentReply: null, buttons });
    for (const name of ['texted.1', 'texted.2']) {
      await fixture.comment(automation, name);
      await fixture.work();
      expect(await fixture.messagesTo(name)).toMatchObject([
        { text: `${link}\n\nShop: ${linkBaseUrl}/r/abcdefghijkl`, buttons: [] },
      ]);
    }
    const sent = (await instagram.list('requests')).filter(({ operation }) => operation === 'messages');
    expect(sent.slice(-3).map(({ status }) => status)).toEqual([400, 200, 200]);
    await instagram.put('settings', { templates: 'everywhere' });
  });

  it('any answer counts as the tap, once', async () => {
    await instagram.put('settings', { templates: 'refused' });
    const { name } = await asked();
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it\n\nReply: Send it']);
    const deliver = await fixture.write(name, 'ok!');
    await deliver();
    await deliver();
    await fixture.work();
    await follows(name, true);
    await (await fixture.write(name, 'done'))();
    await fixture.work();
    await (await fixture.write(name, 'thanks'))();
    await fixture.work();
    expect(texts(await fixture.messagesTo(name))).toEqual([
      'Tap to get it\n\nReply: Send it',
      'Follow us first, then tap\n\nReply: Send it',
      link,
    ]);
    await instagram.put('settings', { templates: 'everywhere' });
  });

  it('an answer counts once, even if the clock of the worker is behind', async () => {
    await instagram.put('settings', { templates: 'refused' });
    const { name, automation } = await asked();
    await (await fixture.write(name, 'ok'))();
    await fixture.work({ ...fixture.ports, now: () => fixture.clock.now() - 1_500 });
    await fixture.runToEnd(automation);
    expect(texts(await fixture.messagesTo(name))).toEqual([
      'Tap to get it\n\nReply: Send it',
      'Follow us first, then tap\n\nReply: Send it',
    ]);
    await instagram.put('settings', { templates: 'everywhere' });
  });

  it('an answer that comes while the question is being sent counts as the tap', async () => {
    await instagram.put('settings', { templates: 'refused' });
    const name = `gated.${++people}`;
    const automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await follows(name, true);
    instagram.advance(7_200);
    const answering = {
      ...fixture.ports,
      commentPlatformFor: (platform: 'instagram') => {
        const real = fixture.ports.commentPlatformFor(platform);
        if (!real) throw new Error('no platform');
        const sendPrivateReply: typeof real.sendPrivateReply = async (request, tools) => {
          const sent = await real.sendPrivateReply(request, tools);
          instagram.advance(1);
          await (await fixture.write(name, 'yes?'))();
          return sent;
        };
        return { ...real, sendPrivateReply };
      },
    } as Fixture['ports'];
    await fixture.work(answering);
    await fixture.runToEnd(automation);
    expect(texts(await fixture.messagesTo(name))).toEqual(['Tap to get it\n\nReply: Send it', link]);
    await instagram.put('settings', { templates: 'everywhere' });
  });
});
