import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAction } from '../../../../lib/automations/actions/run-action.ts';
import { actionKey, messageOf } from '../../../../lib/automations/actions/store.ts';
import type { Automation, MessageAction } from '../../../../lib/automations/schemas.ts';
import { dayMs, hourMs } from '../../../../lib/kernel/clock.ts';
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
const newPerson = () => `again.${++people}`;
const followGate = { message: 'Tap', buttonLabel: 'Tap', notFollowingMessage: 'Follow us' };
const granted = expect.stringMatching(/^Here it is/);
const refusedForGood = 'error:551';

const open = (changes: Partial<Automation> = {}) => fixture.automation({ commentReply: null, ...changes });
const conversation = async ({ id }: Automation) =>
  (await fixture.actions(id)).find(({ kind }) => kind === 'automationMessage') as MessageAction;
const textsTo = async (name: string) => (await fixture.messagesTo(name)).map(({ text }) => text);

/** Lets the private reply to a person's comment fail. */
async function failOpening(changes: Partial<Automation> = {}) {
  const [automation, name] = [await open(changes), newPerson()];
  const comment = await fixture.comment(automation, name);
  await instagram.plan('messages', refusedForGood);
  expect(await fixture.work()).toEqual(['failed']);
  return { automation, name, comment };
}

/** Lets the message to a follower who has tapped fail. */
async function failGranting(changes: Partial<Automation> = {}, fault = refusedForGood) {
  const [automation, name] = [await open({ followGate, ...changes }), newPerson()];
  await fixture.comment(automation, name);
  await fixture.work();
  await instagram.act('follows', { username: name, follows: true });
  const question = (await fixture.messagesTo(name))[0];
  instagram.advance(10);
  await (await fixture.tap(question))();
  await instagram.plan('messages', fault);
  expect(await fixture.work()).toEqual(['failed']);
  return { automation, name, question };
}

describe('a conversation that has failed', () => {
  it('keeps its stage and the code of its failure', async () => {
    expect(await conversation((await failOpening()).automation)).toMatchObject({
      stage: 'opening',
      errorCode: 'platform_rejected',
    });
    expect(await conversation((await failGranting()).automation)).toMatchObject({
      stage: 'granting',
      errorCode: 'platform_rejected',
    });
  });

  it('begins again with the next matching comment, under that comment', async () => {
    const { automation, name } = await failOpening();
    instagram.advance(60);
    const next = await fixture.comment(automation, name);
    const reopened = await conversation(automation);
    expect(reopened).toMatchObject({ state: 'waiting', stage: 'opening', commentId: next.id, turn: 2 });
    expect([reopened.error, reopened.errorCode]).toEqual([undefined, undefined]);
    expect(await fixture.counts(automation.id)).toMatchObject({ failures: 0, failuresByCode: {} });
    await fixture.work();
    expect(await fixture.messagesTo(name)).toMatchObject([{ text: granted, commentId: next.id }]);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 2, messages: 1, failures: 0 });
  });

  it('begins again with a comment that is older than the failure is not expected to be, if its webhook was late', async () => {
    const [automation, name] = [await open(), newPerson()];
    const late = await instagram.act('comments', {
      postId: automation.platformPostId,
      username: name,
      text: 'link',
    });
    await fixture.comment(automation, name);
    await instagram.plan('messages', refusedForGood);
    await fixture.work();
    instagram.advance(3_600);
    const event = { field: 'comments', igId: fixture.account.platformAccountId, comment: late, isAd: false };
    await fixture.ingest([event as unknown as Parameters<Fixture['ingest']>[0][number]]);
    await fixture.work();
    expect(await fixture.messagesTo(name)).toMatchObject([{ commentId: late.id }]);
  });

  it('is not reopened by another comment that does not match', async () => {
    const { automation, name } = await failOpening();
    await fixture.comment(automation, name, 'hello');
    expect(await fixture.work()).toEqual([]);
    expect(await conversation(automation)).toMatchObject({ state: 'failed' });
  });

  it('after the tap, goes on with the message itself within 24 hours of the tap', async () => {
    const { automation, name } = await failGranting();
    instagram.advance((23 * hourMs) / 1_000);
    await fixture.comment(automation, name);
    expect(await conversation(automation)).toMatchObject({ state: 'waiting', stage: 'granting', turn: 2 });
    await fixture.work();
    expect(await textsTo(name)).toEqual(['Tap', granted]);
    expect(await fixture.counts(automation.id)).toMatchObject({ messages: 2, failures: 0 });
  });

  it('after the tap, asks again if the tap is more than 24 hours old', async () => {
    const { automation, name, question } = await failGranting();
    instagram.advance(dayMs / 1_000);
    const next = await fixture.comment(automation, name);
    await fixture.work();
    expect(await conversation(automation)).toMatchObject({ state: 'done', stage: 'gated', turn: 3 });
    expect(await fixture.messagesTo(name)).toMatchObject([
      { text: 'Tap' },
      { text: 'Tap', commentId: next.id },
    ]);
    // Both buttons work.
    instagram.advance(10);
    await (await fixture.tap(question))();
    await fixture.work();
    expect(await textsTo(name)).toEqual(['Tap', 'Tap', granted]);
  });

  it('after the tap, is reopened by another tap on the same button', async () => {
    const { automation, name, question } = await failGranting();
    instagram.advance(60);
    const deliver = await fixture.tap(question);
    await Promise.all([deliver(), deliver()]);
    await fixture.work();
    await deliver();
    await fixture.work();
    expect(await textsTo(name)).toEqual(['Tap', granted]);
    expect(await fixture.counts(automation.id)).toMatchObject({ messages: 2, failures: 0 });
  });

  it('because the platform has closed the window, begins again with the next comment, even within 24 hours', async () => {
    const { automation, name } = await failGranting({}, 'error:10/2534022');
    expect(await conversation(automation)).toMatchObject({ stage: 'granting', errorCode: 'window_closed' });
    instagram.advance(60);
    const next = await fixture.comment(automation, name);
    await fixture.work();
    expect(await fixture.messagesTo(name)).toMatchObject([
      { text: 'Tap' },
      { text: 'Tap', commentId: next.id },
    ]);
  });

  it('begins again with buttons if they were refused together with the text', async () => {
    const buttons = [{ type: 'url' as const, title: 'Shop', url: 'https://shop.example/b' }];
    const [automation, name] = [await open({ buttons }), newPerson()];
    await fixture.comment(automation, name);
    for (let count = 0; count < 2; count += 1) await instagram.plan('messages', 'error:100');
    expect(await fixture.work()).toEqual(['failed']);
    await fixture.comment(automation, name);
    expect(await fixture.work()).toEqual(['done']);
    expect(await fixture.messagesTo(name)).toMatchObject([{ buttons: [{ title: 'Shop' }] }]);
  });

  it('without buttons, is reopened by a later answer', async () => {
    await instagram.put('settings', { templates: 'refused' });
    const [automation, name] = [await open({ followGate }), newPerson()];
    await fixture.comment(automation, name);
    await fixture.work();
    await instagram.act('follows', { username: name, follows: true });
    instagram.advance(10);
    await (await fixture.write(name, 'ok'))();
    await instagram.plan('messages', refusedForGood);
    expect(await fixture.work()).toEqual(['failed']);
    instagram.advance(10);
    await (await fixture.write(name, 'hello?'))();
    await fixture.work();
    expect(await textsTo(name)).toEqual(['Tap\n\nReply: Tap', granted]);
    await instagram.put('settings', { templates: 'everywhere' });
    // For an hour, nobody else is sent buttons either.
    instagram.advance(7_200);
  });

  it('and that an earlier release has closed, begins again', async () => {
    const { automation, name } = await failOpening();
    const { pk, sk } = actionKey(await conversation(automation));
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { pk, sk },
        UpdateExpression: 'SET #stage = :closed REMOVE errorCode',
        ExpressionAttributeNames: { '#stage': 'stage' },
        ExpressionAttributeValues: { ':closed': 'closed' },
      }),
    );
    await fixture.comment(automation, name);
    await fixture.work();
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });
});

describe('another comment does not touch a conversation', () => {
  it('that is done', async () => {
    const [automation, name] = [await open(), newPerson()];
    await fixture.comment(automation, name);
    await fixture.work();
    const before = await conversation(automation);
    await fixture.comment(automation, name);
    expect(await fixture.work()).toEqual([]);
    expect(await conversation(automation)).toEqual(before);
  });

  it('whose outcome is unknown', async () => {
    await instagram.put('settings', { readLagSeconds: 'forever' });
    const [automation, name] = [await open(), newPerson()];
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'drop-reply');
    await fixture.runToEnd(automation);
    const before = await conversation(automation);
    expect(before.state).toBe('unknown');
    await fixture.comment(automation, name);
    expect(await fixture.work()).toEqual([]);
    expect(await conversation(automation)).toEqual(before);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    await instagram.put('settings', { readLagSeconds: 0 });
  });

  it('that is at work', async () => {
    const [automation, name] = [await open(), newPerson()];
    const first = await fixture.comment(automation, name);
    await fixture.comment(automation, name);
    await fixture.work();
    expect(await fixture.messagesTo(name)).toMatchObject([{ commentId: first.id }]);
  });
});

describe('at most one message is sent', () => {
  /** Every order of these. */
  const orders = <T>(all: readonly T[]): T[][] =>
    all.length === 0
      ? [[]]
      : all.flatMap((first, index) =>
          orders(all.filter((_each, other) => other !== index)).map((rest) => [first, ...rest]),
        );

  interface Scene {
    readonly automation: Automation;
    readonly name: string;
    readonly deliveries: readonly (() => Promise<unknown>)[];
  }

  /** A person has written twice since the first message failed. */
  async function openScene(): Promise<Scene> {
    const { automation, name } = await failOpening();
    const deliveries = [];
    for (let count = 0; count < 2; count += 1) {
      const comment: ControlAnswer = await instagram.act('comments', {
        postId: automation.platformPostId,
        username: name,
        text: 'link',
      });
      const event = { field: 'comments', igId: fixture.account.platformAccountId, comment, isAd: false };
      deliveries.push(() => fixture.ingest([event as unknown as Parameters<Fixture['ingest']>[0][number]]));
    }
    return { automation, name, deliveries };
  }

  async function check({ automation, name }: Scene): Promise<void> {
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await conversation(automation)).toMatchObject({ state: 'done', stage: 'closed' });
    expect(await fixture.counts(automation.id)).toMatchObject({
      matches: 3,
      messages: 1,
      failures: 0,
      waiting: {},
    });
  }

  it.each(orders(['first', 'second', 'first again', 'worker']).map((order) => [order.join(', '), order]))(
    'however webhooks and workers are ordered: %s',
    async (_title, order) => {
      const scene = await openScene();
      for (const step of order as string[]) {
        if (step === 'worker') await fixture.work();
        else await scene.deliveries[step === 'second' ? 1 : 0]?.();
      }
      await check(scene);
    },
  );

  it('if all webhooks and workers come at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const scene = await openScene();
      const worker = async () => runAction(fixture.ports, messageOf(await conversation(scene.automation)));
      const deliver = scene.deliveries.flatMap((each) => [each(), each(), worker()]);
      await Promise.all(deliver);
      await check(scene);
    }
  });

  it('if a comment, taps and a worker come at the same time after a failure', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { automation, name, question } = await failGranting();
      instagram.advance(60);
      const taps = [await fixture.tap(question), await fixture.tap(question)];
      const worker = async () => runAction(fixture.ports, messageOf(await conversation(automation)));
      await Promise.all([
        ...taps.flatMap((deliver) => [deliver(), deliver(), worker()]),
        fixture.comment(automation, name),
        worker(),
      ]);
      await fixture.runToEnd(automation);
      expect(await textsTo(name)).toEqual(['Tap', granted]);
      expect(await fixture.counts(automation.id)).toMatchObject({ messages: 2, failures: 0, waiting: {} });
    }
  });
});
