import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markAccount } from '../../../../lib/accounts/store.ts';
import { dayMs, hourMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { automationKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs } from '../../../support/builders.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { connectAccount, type Fixture, linkBaseUrl, openFixture, putAutomation } from '../fixture.ts';

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
const newPerson = () => `person.${++people}`;
const tracked = `${linkBaseUrl}/r/abcdefghijkl`;

describe('a comment that an automation matches', () => {
  it('gets one public reply and one private message, with tracked links', async () => {
    const automation = await fixture.automation();
    const name = newPerson();
    const comment = await fixture.comment(automation, name);
    expect(await fixture.work()).toEqual(['done', 'done']);
    expect(await fixture.repliesTo(comment)).toMatchObject([{ text: 'Sent you a message!' }]);
    expect(await fixture.messagesTo(name)).toMatchObject([
      { text: `Here it is: ${tracked}`, commentId: comment.id },
    ]);
    expect(await fixture.counts(automation.id)).toMatchObject({
      matches: 1,
      replies: 1,
      messages: 1,
      failures: 0,
    });
    expect(await fixture.runToEnd(automation)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  it('gets only a public reply if the person has got the message before', async () => {
    const automation = await fixture.automation();
    const name = newPerson();
    const comments = [
      await fixture.comment(automation, name),
      await fixture.comment(automation, name, 'LINK again'),
    ];
    await fixture.runToEnd(automation);
    for (const comment of comments) expect(await fixture.repliesTo(comment)).toHaveLength(1);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.counts(automation.id)).toMatchObject({
      matches: 2,
      replies: 2,
      messages: 1,
      failures: 0,
    });
  });

  it('is answered under its parent comment if it is an answer itself', async () => {
    const automation = await fixture.automation();
    const parent = await fixture.comment(automation, newPerson(), 'hello');
    const name = newPerson();
    await fixture.comment(automation, name, 'link?', { parentId: parent.id });
    await fixture.runToEnd(automation);
    expect(await fixture.repliesTo(parent)).toHaveLength(1);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('may begin with a mention of the account, as Instagram writes it before an answer', async () => {
    const automation = await fixture.automation({ matchMode: 'exact', keywords: ['link'] });
    const names = [newPerson(), newPerson()];
    await fixture.comment(automation, names[0] as string, `@${fixture.account.username} Link`);
    await fixture.comment(automation, names[1] as string, '@somebody.else Link');
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(names[0] as string)).toHaveLength(1);
    expect(await fixture.messagesTo(names[1] as string)).toEqual([]);
  });

  it('may be on an advertisement that was made from the post', async () => {
    const automation = await fixture.automation();
    const name = newPerson();
    await fixture.comment(automation, name, 'link', { isAd: true });
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('gets only a message, or only a reply, if the automation has no other', async () => {
    const automation = await fixture.automation({ commentReply: null });
    const name = newPerson();
    const comment = await fixture.comment(automation, name);
    const silent = await fixture.automation({ dmMessage: null, commentReply: 'Look above' });
    const other = newPerson();
    const second = await fixture.comment(silent, other);
    await Promise.all([automation, silent].map((each) => fixture.runToEnd(each)));
    expect([await fixture.repliesTo(comment), await fixture.messagesTo(other)]).toEqual([[], []]);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.repliesTo(second)).toMatchObject([{ text: 'Look above' }]);
  });

  it('gets the buttons under its message, and raw links if they are not tracked', async () => {
    const buttons = [{ type: 'url' as const, title: 'Shop', url: 'https://shop.example/a' }];
    const [tracking, raw] = [
      await fixture.automation({ buttons }),
      await fixture.automation({ buttons, links: [] }),
    ];
    const [one, two] = [newPerson(), newPerson()];
    await fixture.comment(tracking, one);
    await fixture.comment(raw, two);
    await Promise.all([tracking, raw].map((automation) => fixture.runToEnd(automation)));
    expect(await fixture.messagesTo(one)).toMatchObject([{ buttons: [{ title: 'Shop', url: tracked }] }]);
    expect(await fixture.messagesTo(two)).toMatchObject([
      { text: 'Here it is: https://shop.example/a', buttons: [{ url: 'https://shop.example/a' }] },
    ]);
  });

  it('is answered by each workspace that has the account and an automation', async () => {
    const automation = await fixture.automation({ dmMessage: null });
    const elsewhere = await connectAccount(table, newId(startMs), instagram.account);
    const other = await putAutomation(table, elsewhere, {
      platformPostId: automation.platformPostId,
      dmMessage: null,
      commentReply: 'Hello from next door',
    });
    const comment = await fixture.comment(automation, newPerson());
    await Promise.all([automation, other].map((each) => fixture.runToEnd(each)));
    const texts = (await fixture.repliesTo(comment)).map(({ text }) => text);
    expect(texts.sort()).toEqual(['Hello from next door', 'Sent you a message!']);
  });
});

describe('no action is triggered by', () => {
  it.each<[string, Parameters<Fixture['automation']>[0], string]>([
    ['a comment that says something else', {}, 'hello'],
    ['an automation that is switched off', { isActive: false }, 'link'],
  ])('%s', async (_what, changes, text) => {
    const automation = await fixture.automation(changes);
    await fixture.comment(automation, newPerson(), text);
    expect(await fixture.actions(automation.id)).toEqual([]);
  });

  it('the account’s own comments and replies', async () => {
    const automation = await fixture.automation({ keywords: [] });
    await fixture.comment(automation, String(instagram.account.username));
    expect(await fixture.actions(automation.id)).toEqual([]);
  });

  it('a repeated webhook, whatever its shape', async () => {
    const automation = await fixture.automation();
    const name = newPerson();
    const comment = await instagram.act('comments', {
      postId: automation.platformPostId,
      username: name,
      text: 'link',
    });
    const event = {
      field: 'comments',
      igId: instagram.account.platformAccountId,
      comment,
      isAd: false,
    } as unknown as Parameters<Fixture['ingest']>[0][number];
    const shapes = ['changes', 'in the entry', 'comment_id', 'numbers', 'in a list'] as const;
    await Promise.all(shapes.map((shape) => fixture.ingest([event, event], shape)));
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 1 });
  });

  it('events for an account that nobody has connected, or garbage; both are counted', async () => {
    const { ingestDelivery } = await import('../../../../lib/automations/inbound/ingest-delivery.ts');
    const value = { id: '1', text: 'link', from: { id: '2' }, media: { id: '3' } };
    const foreign = JSON.stringify({
      object: 'instagram',
      entry: [{ id: '4', changes: [{ field: 'comments', value }] }],
    });
    expect(await ingestDelivery(fixture.ingestPorts, foreign)).toMatchObject({ unknownAccount: 1, taken: 0 });
    const long = 'é'.repeat(500);
    const bodies = ['', 'no JSON', '{}', '[1]', '{"entry":[{"id":5}]}', foreign.replace('"1"', `"${long}"`)];
    for (const body of bodies) {
      expect(await ingestDelivery(fixture.ingestPorts, body)).toMatchObject({ unreadable: 1, taken: 0 });
    }
  });
});

describe('a waiting action fails', () => {
  it('if its automation was deleted', async () => {
    const automation = await fixture.automation();
    await fixture.comment(automation, newPerson());
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: automationKey(automation.workspaceId, automation.id) }),
    );
    expect(await fixture.work()).toEqual(['failed', 'failed']);
    expect((await fixture.actions(automation.id)).map(({ error }) => error)).toEqual([
      'not sent: the automation was deleted',
      'not sent: the automation was deleted',
    ]);
    expect(await fixture.counts(automation.id)).toMatchObject({ failures: 2 });
  });

  it('if the comment is too old', async () => {
    const automation = await fixture.automation();
    const name = newPerson();
    await fixture.comment(automation, name);
    instagram.advance((7 * dayMs) / 1_000 + 60);
    expect(await fixture.work()).toEqual(['failed', 'failed']);
    expect(await fixture.messagesTo(name)).toEqual([]);
  });
});

it('if the authorization has expired, the account is marked, and the action waits', async () => {
  fixture.marks.length = 0;
  const automation = await fixture.automation({ commentReply: null });
  await fixture.comment(automation, newPerson());
  await instagram.plan('messages', 'error:190');
  expect(await fixture.work()).toEqual(['waiting']);
  expect(fixture.marks).toEqual([expect.stringMatching(/^expired: /)]);
});

it.each(['error:10', 'error:200', 'error:368'])(
  'if Instagram refuses messages (%s), the action waits, and the account is not marked',
  async (fault) => {
    fixture.marks.length = 0;
    const automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, newPerson());
    await instagram.plan('messages', fault);
    expect(await fixture.work()).toEqual(['waiting']);
    expect(fixture.marks).toEqual([]);
  },
);

it.each(['error:10', 'error:200', 'error:368'])(
  'if Instagram refuses public replies (%s), the account is not marked, and the message is sent',
  async (fault) => {
    fixture.marks.length = 0;
    const automation = await fixture.automation();
    const name = newPerson();
    await fixture.comment(automation, name);
    await instagram.plan('replies', fault);
    expect((await fixture.work()).toSorted()).toEqual(['done', 'waiting']);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(fixture.marks).toEqual([]);
  },
);

it('if Instagram restricts the account, the account is marked; the next message that is sent clears the mark', async () => {
  fixture.marks.length = 0;
  const automation = await fixture.automation({ commentReply: null });
  await fixture.comment(automation, newPerson());
  await instagram.plan('messages', 'error:25/2207050');
  expect(await fixture.work()).toEqual(['waiting']);
  expect(fixture.marks).toEqual([
    expect.stringMatching(/^error: .* \[while sending a message to a commenter\]$/),
  ]);
  await markAccount(table, fixture.account, 'error', 'restricted', fixture.clock.now());
  const name = newPerson();
  await fixture.comment(automation, name);
  expect(await fixture.work()).toEqual(['done']);
  expect(await fixture.messagesTo(name)).toHaveLength(1);
  expect(fixture.marks).toHaveLength(2);
  expect(fixture.marks[1]).toBe('ok after error');
});

describe('an action waits', () => {
  it('for as long as a rate limit demands, without counting it as a failure', async () => {
    const automation = await fixture.automation({ commentReply: null });
    const name = newPerson();
    await fixture.comment(automation, name);
    await instagram.plan('messages', 'rate-limit');
    expect(await fixture.work()).toEqual(['waiting']);
    const [waiting] = await fixture.actions(automation.id);
    expect(Date.parse(waiting?.wakeAt ?? '') - fixture.clock.now()).toBeGreaterThanOrEqual(5 * 60_000);
    expect(waiting?.failures).toBe(0);
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('however often the platform asks for a short wait, without a chain of messages that Lambda would stop', async () => {
    const automation = await fixture.automation({ commentReply: null });
    const name = newPerson();
    await fixture.comment(automation, name);
    const { PlatformError } = await import('../../../../lib/platforms/contract/errors.ts');
    const busy = {
      ...fixture.ports,
      accessToken: async () => {
        throw new PlatformError('retry', 'busy', { retryAfterSeconds: 20 });
      },
    };
    let longest = 0;
    let waits = 0;
    for (let step = 0; step < 60; step += 1) {
      longest = Math.max(longest, ...fixture.queue.map(({ message }) => message.sends ?? 0));
      const outcomes = await fixture.work(busy);
      waits += outcomes.filter((outcome) => outcome === 'waiting').length;
      fixture.clock.time += 21_000;
      await fixture.sweep();
    }
    expect(waits).toBeGreaterThan(20);
    expect(longest).toBe(12);
    await fixture.runToEnd(automation);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('longer after each failure, and gives up after six hours', async () => {
    const automation = await fixture.automation({ commentReply: null });
    await fixture.comment(automation, newPerson());
    const begun = fixture.clock.now();
    const { PlatformError } = await import('../../../../lib/platforms/contract/errors.ts');
    const failing = {
      ...fixture.ports,
      accessToken: async () => {
        throw new PlatformError('retry', 'busy');
      },
    };
    for (let tries = 0; tries < 300; tries += 1) {
      const [action] = await fixture.actions(automation.id);
      if (action?.wakeAt === undefined) break;
      fixture.clock.time = Math.max(fixture.clock.time, Date.parse(action.wakeAt));
      fixture.queue.splice(0);
      await fixture.sweepAt(fixture.clock.time + 60_000);
      await fixture.work(failing);
    }
    const [end] = await fixture.actions(automation.id);
    expect(end).toMatchObject({ state: 'failed', error: expect.stringContaining('given up after 6 hours') });
    expect(fixture.clock.now() - begun).toBeGreaterThan(5 * hourMs);
    expect(fixture.clock.now() - begun).toBeLessThan(7 * hourMs);
  });
});
