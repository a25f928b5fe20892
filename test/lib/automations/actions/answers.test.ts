import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { automationsAwaitingAnswer } from '../../../../lib/automations/actions/awaited-answers.ts';
import { actionKey, released, takeAction, updateAction } from '../../../../lib/automations/actions/store.ts';
import { tapPayload } from '../../../../lib/automations/actions/taps.ts';
import type { Automation, MessageAction } from '../../../../lib/automations/schemas.ts';
import { minuteMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { awaitedAnswerKey } from '../../../../lib/table/keys.ts';
import { LeaseLostError } from '../../../../lib/table/lease.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { connectAccount, type Fixture, openFixture } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
beforeEach(async () => {
  table = await createTestTable();
  fixture = await openFixture(table, instagram);
  await instagram.put('settings', { templates: 'everywhere' });
  name = `answers.${++people}`;
});
afterAll(() => instagram.close());

let people = 0;
let name: string;
const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };
const granted = expect.stringMatching(/^Here it is/);

const conversation = async ({ id }: Automation) => (await fixture.actions(id))[0] as MessageAction;
const textsTo = async () => (await fixture.messagesTo(name)).map(({ text }) => text);
const follow = () => instagram.act('follows', { username: name, follows: true });
/** The person comments, and gets the question. */
async function ask(changes: Partial<Automation> = {}): Promise<Automation> {
  const automation = await fixture.automation({ commentReply: null, followGate, ...changes });
  await fixture.comment(automation, name);
  await fixture.work();
  return automation;
}
const firstQuestion = async () => (await fixture.messagesTo(name))[0];

describe('the first button of the gate', () => {
  it('works again for a person who was told to follow', async () => {
    await ask();
    instagram.advance(10);
    await (await fixture.tap(await firstQuestion()))();
    await fixture.work();
    await follow();
    instagram.advance(10);
    await (await fixture.tap(await firstQuestion()))();
    await fixture.work();
    expect(await textsTo()).toEqual(['Tap', 'Follow us', granted]);
  });

  it.each([
    ['before the next message was sent', 0],
    ['just after it, as two clocks may disagree', 1],
  ])(
    'tapped twice, the second time %s, answers once, however late the webhook comes',
    async (_when, seconds) => {
      await ask();
      instagram.advance(10);
      const first = await fixture.tap(await firstQuestion());
      const second = seconds === 0 ? await fixture.tap(await firstQuestion()) : undefined;
      await first();
      await fixture.work();
      instagram.advance(seconds);
      const late = second ?? (await fixture.tap(await firstQuestion()));
      await follow();
      instagram.advance(3_600);
      await late();
      await fixture.work();
      expect(await textsTo()).toEqual(['Tap', 'Follow us']);
    },
  );

  it('works only once more, even if both taps come late and in the wrong order', async () => {
    await ask();
    instagram.advance(10);
    const first = await fixture.tap(await firstQuestion());
    instagram.advance(10);
    const second = await fixture.tap(await firstQuestion());
    await second();
    await fixture.work();
    await first();
    await fixture.work();
    expect(await textsTo()).toEqual(['Tap', 'Follow us']);
  });

  it('does nothing if an earlier release has sent the last message, whose time is not known', async () => {
    const automation = await ask();
    instagram.advance(10);
    await (await fixture.tap(await firstQuestion()))();
    await fixture.work();
    const { pk, sk } = actionKey(await conversation(automation));
    const removal = { Key: { pk, sk }, UpdateExpression: 'REMOVE sentAt' };
    await table.client.send(new UpdateCommand({ TableName: table.name, ...removal }));
    instagram.advance(10);
    await (await fixture.tap(await firstQuestion()))();
    expect(await fixture.work()).toEqual([]);
  });

  it('does nothing after the message itself', async () => {
    await ask();
    await follow();
    for (let taps = 0; taps < 3; taps += 1) {
      instagram.advance(10);
      await (await fixture.tap(await firstQuestion()))();
      await fixture.work();
    }
    expect(await textsTo()).toEqual(['Tap', granted]);
  });
});

describe('a button of a message of', () => {
  it.each([
    ['another account of the workspace', () => fixture.workspaceId],
    ['an account of another workspace', () => newId(fixture.clock.now())],
  ])('%s that names the automation moves nothing', async (_which, workspaceId) => {
    const automation = await ask();
    const before = await conversation(automation);
    const igId = `other.${name}`;
    await connectAccount(table, workspaceId(), { platformAccountId: igId, username: igId });
    const tap = {
      mid: `tap.${name}`,
      title: 'Tap',
      payload: tapPayload({ automationId: automation.id, turn: 1 }),
    };
    instagram.advance(10);
    const { personId } = before;
    const event = { field: 'messaging_postbacks' as const, igId, person: { id: personId }, tap };
    expect(await fixture.ingest([{ ...event, at: fixture.clock.now() }])).toMatchObject({
      taken: 1,
      actions: 0,
    });
    expect(await conversation(automation)).toEqual(before);
    await fixture.ingest([{ ...event, igId: fixture.account.platformAccountId, at: fixture.clock.now() }]);
    expect(await conversation(automation)).not.toEqual(before);
  });
});

describe('questions without buttons', () => {
  beforeEach(() => instagram.put('settings', { templates: 'refused' }));
  const awaiting = async () => {
    const [{ personId = '' } = {}] = await fixture.messagesTo(name);
    const { workspaceId, account } = fixture;
    return automationsAwaitingAnswer(table, { workspaceId, accountId: account.id, personId });
  };

  it('of eleven automations: an answer reaches the newest ten', async () => {
    await follow();
    const automations: Automation[] = [];
    for (let count = 0; count < 11; count += 1) {
      automations.push(await ask({ dmMessage: `Number ${count}`, links: [] }));
      instagram.advance(60);
    }
    expect(await awaiting()).toHaveLength(11);
    await (await fixture.write(name, 'ok'))();
    await fixture.work();
    const numbers = (await textsTo()).filter((text) => String(text).startsWith('Number'));
    expect(numbers.sort()).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => `Number ${number}`).sort(),
    );
    expect(await awaiting()).toEqual([automations[0]?.id]);
  });

  it('are no longer awaited once the message was sent, and nobody else is forgotten', async () => {
    const other = await ask();
    instagram.advance(60);
    const automation = await ask();
    expect([...(await awaiting())].sort()).toEqual([other.id, automation.id].sort());
    await fixture.rewrite({ ...other, isActive: false });
    await follow();
    await (await fixture.write(name, 'ok'))();
    await fixture.work();
    expect(await conversation(automation)).toMatchObject({ state: 'done', stage: 'closed' });
    expect(await conversation(other)).toMatchObject({ state: 'waiting', waitsFor: 'automation_off' });
    expect(await awaiting()).toEqual([other.id]);
  });

  it('are not awaited if they could not be sent, and are again if another comment reopens the conversation', async () => {
    await ask();
    instagram.advance(60);
    const automation = await fixture.automation({ commentReply: null, followGate });
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'error:551');
    await fixture.work();
    expect(await conversation(automation)).toMatchObject({ state: 'failed', stage: 'opening' });
    expect(await awaiting()).not.toContain(automation.id);
    await fixture.comment(automation, name);
    await fixture.work();
    expect(await conversation(automation)).toMatchObject({ state: 'done', stage: 'gated' });
    expect(await awaiting()).toContain(automation.id);
  });

  it('leave no item behind if the list has expired meanwhile', async () => {
    await ask();
    const [{ personId = '' } = {}] = await fixture.messagesTo(name);
    const { pk, sk } = awaitedAnswerKey(fixture.workspaceId, fixture.account.id, personId);
    const { DeleteCommand, GetCommand } = await import('@aws-sdk/lib-dynamodb');
    await follow();
    await (await fixture.write(name, 'ok'))();
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
    await fixture.work();
    const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: { pk, sk } }));
    expect(await textsTo()).toEqual(['Tap\n\nReply: Tap', granted]);
    expect(Item?.['expiresAtSeconds']).toBeLessThanOrEqual(fixture.clock.now() / 1_000);
  });

  it('are recognized by what was sent, even if the gate is removed before their outcome is known', async () => {
    const automation = await fixture.automation({ commentReply: null, followGate });
    await instagram.put('settings', { templates: 'refused' });
    await fixture.comment(automation, name);
    // The first call is refused because of its button; the second sends the text.
    await instagram.plan('messages', 'error:100');
    await instagram.plan('messages', 'drop-reply');
    await fixture.work();
    expect(await conversation(automation)).toMatchObject({ state: 'intended', asks: true });
    await fixture.rewrite({ ...automation, followGate: null });
    await fixture.runToEnd(automation);
    expect(await conversation(automation)).toMatchObject({ state: 'done', stage: 'gated' });
    instagram.advance(60);
    await (await fixture.write(name, 'ok'))();
    await fixture.runToEnd(automation);
    expect(await textsTo()).toEqual(['Tap\n\nReply: Tap', granted]);
  });
});

describe('after a tap', () => {
  async function tapWith(changes: Partial<Automation>): Promise<Automation> {
    const automation = await ask();
    await fixture.rewrite({ ...automation, ...changes });
    instagram.advance(10);
    await (await fixture.tap(await firstQuestion()))();
    await fixture.work();
    return automation;
  }

  it('nothing empty is sent if the automation has no dmMessage any more', async () => {
    const automation = await tapWith({ dmMessage: null, followGate: null, commentReply: 'Hello' });
    expect(await textsTo()).toEqual(['Tap']);
    expect(await conversation(automation)).toMatchObject({
      state: 'failed',
      errorCode: 'text_removed',
      error: 'not sent: the automation has no dmMessage any more',
    });
  });

  it('the message is sent instead of an empty question if the gate is removed while the question waits', async () => {
    const automation = await ask();
    instagram.advance(10);
    await (await fixture.tap(await firstQuestion()))();
    await instagram.plan('messages', 'rate-limit');
    expect(await fixture.work()).toEqual(['waiting']);
    expect(await conversation(automation)).toMatchObject({ stage: 'asking' });
    await fixture.rewrite({ ...automation, followGate: null });
    await fixture.runToEnd(automation);
    expect(await textsTo()).toEqual(['Tap', granted]);
  });
});

it('a tap takes the conversation from the worker that holds it, even if the tap is dated before an earlier one', async () => {
  const automation = await ask();
  const key = actionKey(await conversation(automation));
  const now = fixture.clock.now();
  // Its question was repeated after a failure, and has arrived all the same.
  const repeating = {
    UpdateExpression: 'SET #state = :state, stage = :stage, wakeAt = :now, lastHeardAt = :later',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':state': 'waiting',
      ':stage': 'asking',
      ':now': toTimestamp(now),
      ':later': toTimestamp(now + minuteMs),
    },
  };
  await table.client.send(new UpdateCommand({ TableName: table.name, Key: key, ...repeating }));
  const taken = await takeAction(table, key, { writeId: 'held', now });
  if (taken.state !== 'taken') throw new Error('the conversation was not taken');
  await (await fixture.tap(await firstQuestion()))();
  expect(await conversation(automation)).toMatchObject({ state: 'waiting', stage: 'gated' });
  await expect(updateAction(table, taken.action, released, { writeId: 'late' })).rejects.toThrow(
    LeaseLostError,
  );
});

it('the records of calls stay few, however long a conversation is', async () => {
  const automation = await ask();
  for (let taps = 0; taps < 60; taps += 1) {
    instagram.advance(10);
    await (await fixture.tap(await firstQuestion()))();
    await fixture.work();
  }
  const { calls = [], turn } = await conversation(automation);
  expect(turn).toBe(61);
  expect(calls.length).toBeLessThanOrEqual(50);
  expect(calls.at(-1)?.token['id']).toBe((await fixture.messagesTo(name)).at(-1)?.id);
});
