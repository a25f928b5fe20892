import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { nameOf } from '../../../../lib/automations/answered-posts.ts';
import { ConversationsQuery } from '../../../../lib/automations/conversation-views.ts';
import { listConversations } from '../../../../lib/automations/conversations.ts';
import { deleteInbound } from '../../../../lib/automations/inbound/store.ts';
import type { Automation, MessageAction } from '../../../../lib/automations/schemas.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { openWorkspace } from '../../../support/builders.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
let context: Context;
let name: string;
let people = 0;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
beforeEach(async () => {
  table = await createTestTable();
  ({ context } = await openWorkspace(table));
  fixture = await openFixture(table, instagram, context.workspaceId);
  await instagram.put('settings', { templates: 'everywhere' });
  name = `starts.${++people}`;
});
afterAll(() => instagram.close());

const storyId = '17900000000000099';
const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };

type Kind = 'story replies' | 'direct messages';
const automationFor = (kind: Kind, changes: Partial<Automation> = {}) =>
  fixture.automation({
    id: newId(fixture.clock.now()),
    platformPostId: nameOf({ kind }),
    commentReply: null,
    dmMessage: `From ${kind}`,
    links: [],
    ...changes,
  });

const write = (text: string, more: { storyId?: string } = {}) =>
  fixture.write(name, text, { ...more, account: fixture.account.username ?? '' });
/** The person writes, the webhook arrives, and what is due is worked. */
async function says(text: string, more: { storyId?: string } = {}) {
  const deliver = await write(text, more);
  const counts = await deliver();
  await fixture.work();
  return { deliver, counts };
}
const textsTo = async () => (await fixture.messagesTo(name)).map(({ text }) => text);
const conversation = async ({ id }: Automation) => (await fixture.actions(id))[0] as MessageAction;
const list = async ({ id }: Automation) =>
  (await listConversations({ ...context, now: fixture.clock.now() }, id, ConversationsQuery.parse({})))
    .conversations;

describe('a message', () => {
  it.each<[string, Kind, string, object, string[]]>([
    ['a direct message with a keyword', 'direct messages', 'the link please', {}, ['From direct messages']],
    ['a direct message without one', 'direct messages', 'hello', {}, []],
    ['a reply to a story with a keyword', 'story replies', 'link', { storyId }, ['From story replies']],
    ['a reply to a story without one', 'story replies', 'hello', { storyId }, []],
    ['a direct message, of an automation of story replies', 'story replies', 'link', {}, []],
    [
      'a reply to a story, of an automation of messages',
      'direct messages',
      'link',
      { storyId },
      ['From direct messages'],
    ],
  ])('is answered as it matches: %s', async (_name, kind, text, more, answers) => {
    const automation = await automationFor(kind);
    await says(text, more);
    expect(await textsTo()).toEqual(answers);
    expect(await fixture.counts(automation.id)).toMatchObject({
      matches: answers.length,
      messages: answers.length,
    });
  });

  it('that replies to a story is answered whatever it says if there are no keywords', async () => {
    await automationFor('story replies', { keywords: [] });
    await says('😍', { storyId });
    expect(await textsTo()).toEqual(['From story replies']);
  });

  it('starts no automation of messages that an earlier release has left without keywords', async () => {
    await automationFor('direct messages', { keywords: [] });
    await says('hello');
    expect(await textsTo()).toEqual([]);
  });

  it.each<[string, Partial<Automation>, string]>([
    ['the one of story replies', {}, 'From story replies'],
    ['the one of messages, if that one is off', { isActive: false }, 'From direct messages'],
    ['the one of messages, if that one does not match', { keywords: ['price'] }, 'From direct messages'],
  ])('that two automations match starts one: %s', async (_name, changes, answer) => {
    await automationFor('story replies', changes);
    await automationFor('direct messages');
    await says('link', { storyId });
    await fixture.sweep();
    await fixture.work();
    expect(await textsTo()).toEqual([answer]);
  });

  it('starts no automation of a post, of the next post or of every post', async () => {
    const names = [await fixture.post(), nameOf({ kind: 'next post' }), nameOf({ kind: 'every post' })];
    for (const platformPostId of names)
      await fixture.automation({ id: newId(fixture.clock.now()), platformPostId });
    await says('link');
    await says('link', { storyId });
    expect(await textsTo()).toEqual([]);
  });

  it('of the account itself starts nothing', async () => {
    const automation = await automationFor('direct messages');
    await fixture.comment({ platformPostId: await fixture.post() }, name);
    const { igId } = { igId: fixture.account.platformAccountId };
    const message = {
      id: 'own',
      igId,
      personId: igId,
      username: name,
      from: 'person',
      text: 'link',
    } as const;
    await fixture.ingest([
      { field: 'messages', igId, message: { ...message, buttons: [], at: fixture.clock.now() } },
    ]);
    expect(await fixture.actions(automation.id)).toEqual([]);
  });
});

it('a comment starts no automation of messages', async () => {
  const story = await automationFor('story replies', { keywords: [] });
  const messages = await automationFor('direct messages');
  await fixture.comment({ platformPostId: await fixture.post() }, name);
  await fixture.work();
  expect(await fixture.actions(story.id)).toEqual([]);
  expect(await fixture.actions(messages.id)).toEqual([]);
});

describe('at least once', () => {
  it('a webhook that is repeated is answered once', async () => {
    const automation = await automationFor('direct messages');
    const { deliver } = await says('link');
    expect(await deliver()).toMatchObject({ repeated: 1, actions: 0 });
    await fixture.work();
    await fixture.sweep();
    await fixture.work();
    expect(await textsTo()).toEqual(['From direct messages']);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 1, messages: 1 });
  });

  it('a webhook that arrives several times at once is answered once', async () => {
    const automation = await automationFor('direct messages');
    const deliver = await write('link');
    await Promise.all([deliver(), deliver(), deliver()]);
    await fixture.work();
    expect(await textsTo()).toEqual(['From direct messages']);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 1 });
  });

  it('several messages of a person at once begin one conversation', async () => {
    const automation = await automationFor('direct messages');
    const deliveries = [await write('link'), await write('link!'), await write('a link')];
    await Promise.all(deliveries.map((deliver) => deliver()));
    await fixture.work();
    expect(await textsTo()).toEqual(['From direct messages']);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 3, messages: 1 });
  });

  it('a person gets it once, however often they write', async () => {
    const automation = await automationFor('direct messages');
    await says('link');
    instagram.advance(3 * 86_400);
    await says('link');
    expect(await textsTo()).toEqual(['From direct messages']);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 2, messages: 1, failures: 0 });
  });

  it('a conversation is answered by the sweep if its message to the queue is lost', async () => {
    await automationFor('direct messages');
    await (await write('link'))();
    fixture.queue.splice(0);
    fixture.clock.time += 2 * minuteMs;
    expect(await fixture.sweep()).toBe(1);
    await fixture.work();
    expect(await textsTo()).toEqual(['From direct messages']);
  });

  it('a message whose outcome is lost is not sent again', async () => {
    const automation = await automationFor('direct messages');
    await instagram.plan('messages', 'drop-reply');
    await says('link');
    await fixture.runToEnd(automation);
    expect(await textsTo()).toEqual(['From direct messages']);
    expect(await conversation(automation)).toMatchObject({ state: 'done', stage: 'closed' });
  });
});

describe('the conversation', () => {
  it.each([
    [true, ['From direct messages']],
    [null, ['From direct messages']],
    [false, ['Follow us']],
  ])(
    'asks the platform at once if the person follows (%s), without a question first',
    async (follows, texts) => {
      await automationFor('direct messages', { followGate });
      await write('hello');
      await instagram.act('follows', { username: name, follows });
      await says('link');
      expect(await textsTo()).toEqual(texts);
    },
  );

  it('goes on with a tap of a person who did not follow', async () => {
    await automationFor('story replies', { followGate });
    await says('link', { storyId });
    await instagram.act('follows', { username: name, follows: true });
    instagram.advance(10);
    const [question] = await fixture.messagesTo(name);
    await (await fixture.tap(question))();
    await fixture.work();
    expect(await textsTo()).toEqual(['Follow us', 'From story replies']);
  });

  it('takes the keyword, said again, as a tap on the button', async () => {
    await automationFor('direct messages', { followGate });
    await says('link');
    const late = await write('link');
    await instagram.act('follows', { username: name, follows: true });
    // This one may have been written before the question.
    await late();
    await fixture.work();
    expect(await textsTo()).toEqual(['Follow us']);
    instagram.advance(10);
    await says('link');
    await says('link');
    expect(await textsTo()).toEqual(['Follow us', 'From direct messages']);
  });

  it('takes an answer to a question without a button as an answer, not as a start', async () => {
    await instagram.put('settings', { templates: 'refused' });
    const story = await automationFor('story replies', { followGate });
    const messages = await automationFor('direct messages');
    await says('link', { storyId });
    expect(await textsTo()).toEqual([expect.stringMatching(/^Follow us/)]);
    await instagram.act('follows', { username: name, follows: true });
    instagram.advance(10);
    await says('link');
    expect(await textsTo()).toEqual([expect.stringMatching(/^Follow us/), 'From story replies']);
    expect(await fixture.actions(messages.id)).toEqual([]);
    // The conversation is over, so that the next message starts the other automation.
    instagram.advance(10);
    await says('link');
    expect(await textsTo()).toHaveLength(3);
    expect(await fixture.actions(story.id)).toHaveLength(1);
  });

  it('starts nothing with an answer that waits to be worked', async () => {
    await instagram.put('settings', { templates: 'refused' });
    await automationFor('story replies', { followGate });
    const messages = await automationFor('direct messages');
    await says('link', { storyId });
    instagram.advance(10);
    await (await write('link'))();
    await (await write('link'))();
    expect(await fixture.actions(messages.id)).toEqual([]);
  });

  it('waits while the automation is off, and is answered within a minute after it is on', async () => {
    const automation = await automationFor('direct messages');
    await (await write('link'))();
    await fixture.rewrite({ ...automation, isActive: false });
    await fixture.work();
    expect(await conversation(automation)).toMatchObject({ state: 'waiting', waitsFor: 'automation_off' });
    await fixture.rewrite(automation);
    fixture.clock.time += minuteMs;
    await fixture.sweep();
    await fixture.work();
    expect(await textsTo()).toEqual(['From direct messages']);
  });

  it('is not begun by messages that come while the automation is off', async () => {
    const automation = await automationFor('direct messages', { isActive: false });
    await says('link');
    expect(await fixture.actions(automation.id)).toEqual([]);
  });

  it('fails when the window closes, and begins again with the next message', async () => {
    const automation = await automationFor('direct messages');
    await (await write('link'))();
    await fixture.rewrite({ ...automation, isActive: false });
    await fixture.pass(automation, 25 * hourMs);
    expect(await conversation(automation)).toMatchObject({ state: 'failed', errorCode: 'automation_off' });
    await fixture.rewrite(automation);
    const { counts } = await says('a link');
    expect(counts).toMatchObject({ taken: 1, actions: 1 });
    expect(await textsTo()).toEqual(['From direct messages']);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 2, failures: 0, messages: 1 });
    expect(await list(automation)).toMatchObject([
      { text: 'a link', commentedAt: toTimestamp(fixture.clock.now()), state: 'done' },
    ]);
  });

  it('is sent for longer if the person writes again while it waits', async () => {
    const automation = await automationFor('direct messages');
    await (await write('link'))();
    await fixture.rewrite({ ...automation, isActive: false });
    await fixture.pass(automation, 20 * hourMs);
    // The automation is off for new conversations only: what waits goes on.
    await fixture.rewrite(automation);
    await (await write('link'))();
    await fixture.rewrite({ ...automation, isActive: false });
    await fixture.pass(automation, 20 * hourMs);
    expect(await conversation(automation)).toMatchObject({ state: 'waiting' });
    expect(await fixture.counts(automation.id)).toMatchObject({
      matches: 2,
      waiting: { automation_off: 1 },
    });
  });

  it('is listed with the message, for as long as that is kept', async () => {
    const automation = await automationFor('story replies');
    const { deliver: _deliver } = await says('link please', { storyId });
    const action = await conversation(automation);
    const shown = {
      kind: 'private_message',
      commentId: null,
      messageId: action.commentId,
      personId: action.personId,
      username: null,
      text: 'link please',
      commentedAt: toTimestamp(fixture.clock.now()),
      state: 'done',
      reason: null,
      sent: 'message',
      sentAt: expect.any(String),
    };
    expect(await list(automation)).toEqual([shown]);
    await deleteInbound(table, fixture.account);
    expect(await list(automation)).toEqual([{ ...shown, text: null }]);
    fixture.clock.time += 31 * dayMs;
    expect(await list(automation)).toEqual([]);
  });
});
