import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { automationKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs } from '../../../support/builders.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { connectAccount, type Fixture, openFixture, publicBaseUrl, storeRule } from '../fixture.ts';

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
const somebody = () => `person.${++people}`;
const tracked = `${publicBaseUrl}/r/abcdefghijkl`;

describe('a comment that a rule matches', () => {
  it('is answered in public and in private, each once, with tracked links', async () => {
    const rule = await fixture.rule();
    const name = somebody();
    const comment = await fixture.comment(rule, name);
    expect(await fixture.work()).toEqual(['done', 'done']);
    expect(await fixture.repliesTo(comment)).toMatchObject([{ text: 'Sent you a message!' }]);
    expect(await fixture.messagesTo(name)).toMatchObject([
      { text: `Here it is: ${tracked}`, commentId: comment.id },
    ]);
    expect(await fixture.counts(rule.id)).toEqual({ matches: 1, replies: 1, messages: 1, failures: 0 });
    expect(await fixture.runToEnd(rule)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  it('gets a public reply only where the person was written to before', async () => {
    const rule = await fixture.rule();
    const name = somebody();
    const comments = [await fixture.comment(rule, name), await fixture.comment(rule, name, 'LINK again')];
    await fixture.runToEnd(rule);
    for (const comment of comments) expect(await fixture.repliesTo(comment)).toHaveLength(1);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.counts(rule.id)).toEqual({ matches: 2, replies: 2, messages: 1, failures: 0 });
  });

  it('is answered beneath the comment above it, where it is an answer itself', async () => {
    const rule = await fixture.rule();
    const parent = await fixture.comment(rule, somebody(), 'hello');
    const name = somebody();
    await fixture.comment(rule, name, 'link?', { parentId: parent.id });
    await fixture.runToEnd(rule);
    expect(await fixture.repliesTo(parent)).toHaveLength(1);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('may stand under the advertisement that was made from the post', async () => {
    const rule = await fixture.rule();
    const name = somebody();
    await fixture.comment(rule, name, 'link', { isAd: true });
    await fixture.runToEnd(rule);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('gets what the rule has and nothing else', async () => {
    const rule = await fixture.rule({ commentReply: null });
    const name = somebody();
    const comment = await fixture.comment(rule, name);
    const silent = await fixture.rule({ dmMessage: null, commentReply: 'Look above' });
    const other = somebody();
    const second = await fixture.comment(silent, other);
    await Promise.all([rule, silent].map((each) => fixture.runToEnd(each)));
    expect([await fixture.repliesTo(comment), await fixture.messagesTo(other)]).toEqual([[], []]);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.repliesTo(second)).toMatchObject([{ text: 'Look above' }]);
  });

  it('has buttons beneath its message, and raw links where they are not tracked', async () => {
    const buttons = [{ type: 'url' as const, title: 'Shop', url: 'https://shop.example/a' }];
    const [tracking, raw] = [await fixture.rule({ buttons }), await fixture.rule({ buttons, links: [] })];
    const [one, two] = [somebody(), somebody()];
    await fixture.comment(tracking, one);
    await fixture.comment(raw, two);
    await Promise.all([tracking, raw].map((rule) => fixture.runToEnd(rule)));
    expect(await fixture.messagesTo(one)).toMatchObject([{ buttons: [{ title: 'Shop', url: tracked }] }]);
    expect(await fixture.messagesTo(two)).toMatchObject([
      { text: 'Here it is: https://shop.example/a', buttons: [{ url: 'https://shop.example/a' }] },
    ]);
  });

  it('is answered by each workspace that has the account and a rule', async () => {
    const rule = await fixture.rule({ dmMessage: null });
    const elsewhere = await connectAccount(table, newId(startMs), instagram.account);
    const other = await storeRule(table, elsewhere, {
      platformPostId: rule.platformPostId,
      dmMessage: null,
      commentReply: 'Hello from next door',
    });
    const comment = await fixture.comment(rule, somebody());
    await Promise.all([rule, other].map((each) => fixture.runToEnd(each)));
    const texts = (await fixture.repliesTo(comment)).map(({ text }) => text);
    expect(texts.sort()).toEqual(['Hello from next door', 'Sent you a message!']);
  });
});

describe('nothing follows from', () => {
  it.each<[string, Parameters<Fixture['rule']>[0], string]>([
    ['a comment that says something else', {}, 'hello'],
    ['a rule that is switched off', { isActive: false }, 'link'],
  ])('%s', async (_what, changes, text) => {
    const rule = await fixture.rule(changes);
    await fixture.comment(rule, somebody(), text);
    expect(await fixture.actions(rule.id)).toEqual([]);
  });

  it('the account’s own comments and replies', async () => {
    const rule = await fixture.rule({ keywords: [] });
    await fixture.comment(rule, String(instagram.account.username));
    expect(await fixture.actions(rule.id)).toEqual([]);
  });

  it('a webhook that comes again, in whatever shape', async () => {
    const rule = await fixture.rule();
    const name = somebody();
    const comment = await instagram.act('comments', {
      postId: rule.platformPostId,
      username: name,
      text: 'link',
    });
    const told = {
      field: 'comments',
      igId: instagram.account.platformAccountId,
      comment,
      isAd: false,
    } as unknown as Parameters<Fixture['take']>[0][number];
    const shapes = ['changes', 'in the entry', 'comment_id', 'numbers', 'in a list'] as const;
    await Promise.all(shapes.map((shape) => fixture.take([told, told], shape)));
    await fixture.runToEnd(rule);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
    expect(await fixture.repliesTo(comment)).toHaveLength(1);
    expect(await fixture.counts(rule.id)).toMatchObject({ matches: 1 });
  });

  it('an account that nobody has connected, or garbage; both are counted', async () => {
    const { ingestDelivery } = await import('../../../../lib/automations/inbound/ingest-delivery.ts');
    const value = { id: '1', text: 'link', from: { id: '2' }, media: { id: '3' } };
    const foreign = JSON.stringify({
      object: 'instagram',
      entry: [{ id: '4', changes: [{ field: 'comments', value }] }],
    });
    expect(await ingestDelivery(fixture.takePorts, foreign)).toMatchObject({ unknownAccount: 1, taken: 0 });
    const long = 'é'.repeat(500);
    const bodies = ['', 'no JSON', '{}', '[1]', '{"entry":[{"id":5}]}', foreign.replace('"1"', `"${long}"`)];
    for (const body of bodies) {
      expect(await ingestDelivery(fixture.takePorts, body)).toMatchObject({ unreadable: 1, taken: 0 });
    }
  });
});

describe('an action that waits ends politely', () => {
  it('where its rule was deleted', async () => {
    const rule = await fixture.rule();
    await fixture.comment(rule, somebody());
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: automationKey(rule.workspaceId, rule.id) }),
    );
    expect(await fixture.work()).toEqual(['failed', 'failed']);
    expect((await fixture.actions(rule.id)).map(({ error }) => error)).toEqual([
      'not sent: the automation was deleted',
      'not sent: the automation was deleted',
    ]);
    expect(await fixture.counts(rule.id)).toMatchObject({ failures: 2 });
  });

  it('where the comment is gone, or is too old', async () => {
    const rule = await fixture.rule();
    const name = somebody();
    await fixture.comment(rule, name);
    instagram.advance((7 * dayMs) / 1_000 + 60);
    expect(await fixture.work()).toEqual(['failed', 'failed']);
    expect(await fixture.messagesTo(name)).toEqual([]);
  });

  it('where the authorization has ended; the account is marked', async () => {
    const rule = await fixture.rule({ commentReply: null });
    await fixture.comment(rule, somebody());
    await instagram.plan('messages', 'error:190');
    expect(await fixture.work()).toEqual(['failed']);
    expect(fixture.marks).toEqual([expect.stringMatching(/^expired: /)]);
  });
});

describe('an action waits', () => {
  it('for as long as a rate limit says, without counting it as a failure', async () => {
    const rule = await fixture.rule({ commentReply: null });
    const name = somebody();
    await fixture.comment(rule, name);
    await instagram.plan('messages', 'rate-limit');
    expect(await fixture.work()).toEqual(['waiting']);
    const [waiting] = await fixture.actions(rule.id);
    expect(Date.parse(waiting?.wakeAt ?? '') - fixture.clock.now()).toBeGreaterThanOrEqual(5 * 60_000);
    expect(waiting?.failures).toBe(0);
    await fixture.runToEnd(rule);
    expect(await fixture.messagesTo(name)).toHaveLength(1);
  });

  it('longer from failure to failure, and gives up after six hours', async () => {
    const rule = await fixture.rule({ commentReply: null });
    await fixture.comment(rule, somebody());
    const begun = fixture.clock.now();
    const { PlatformError } = await import('../../../../lib/platforms/contract/errors.ts');
    const failing = {
      ...fixture.ports,
      accessToken: async () => {
        throw new PlatformError('retry', 'busy');
      },
    };
    for (let tries = 0; tries < 100; tries += 1) {
      const [action] = await fixture.actions(rule.id);
      if (action?.wakeAt === undefined) break;
      fixture.clock.time = Math.max(fixture.clock.time, Date.parse(action.wakeAt));
      fixture.queue.splice(0);
      await fixture.sweepAt(fixture.clock.time + 60_000);
      await fixture.work(failing);
    }
    const [end] = await fixture.actions(rule.id);
    expect(end).toMatchObject({ state: 'failed', error: expect.stringContaining('given up after 6 hours') });
    expect(fixture.clock.now() - begun).toBeGreaterThan(5 * hourMs);
    expect(fixture.clock.now() - begun).toBeLessThan(7 * hourMs);
  });
});
