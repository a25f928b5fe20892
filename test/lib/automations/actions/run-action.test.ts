import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { automationKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs } from '../../../support/builders.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { connectAccount, openWorld, publicBaseUrl, storeRule, type World } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let world: World;
beforeAll(async () => {
  [table, instagram] = await Promise.all([createTestTable(), openInstagram()]);
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
  world = await openWorld(table, instagram);
});
afterAll(() => instagram.close());

let people = 0;
const somebody = () => `person.${++people}`;
const tracked = `${publicBaseUrl}/r/abcdefghijkl`;

describe('a comment that a rule matches', () => {
  it('is answered in public and in private, each once, with tracked links', async () => {
    const rule = await world.rule();
    const name = somebody();
    const comment = await world.comment(rule, name);
    expect(await world.work()).toEqual(['done', 'done']);
    expect(await world.repliesTo(comment)).toMatchObject([{ text: 'Sent you a message!' }]);
    expect(await world.messagesTo(name)).toMatchObject([
      { text: `Here it is: ${tracked}`, commentId: comment.id },
    ]);
    expect(await world.counts(rule.id)).toEqual({ matches: 1, replies: 1, messages: 1, failures: 0 });
    expect(await world.runToEnd(rule)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  it('gets a public reply only where the person was written to before', async () => {
    const rule = await world.rule();
    const name = somebody();
    const comments = [await world.comment(rule, name), await world.comment(rule, name, 'LINK again')];
    await world.runToEnd(rule);
    for (const comment of comments) expect(await world.repliesTo(comment)).toHaveLength(1);
    expect(await world.messagesTo(name)).toHaveLength(1);
    expect(await world.counts(rule.id)).toEqual({ matches: 2, replies: 2, messages: 1, failures: 0 });
  });

  it('is answered beneath the comment above it, where it is an answer itself', async () => {
    const rule = await world.rule();
    const parent = await world.comment(rule, somebody(), 'hello');
    const name = somebody();
    await world.comment(rule, name, 'link?', { parentId: parent.id });
    await world.runToEnd(rule);
    expect(await world.repliesTo(parent)).toHaveLength(1);
    expect(await world.messagesTo(name)).toHaveLength(1);
  });

  it('may stand under the advertisement that was made from the post', async () => {
    const rule = await world.rule();
    const name = somebody();
    await world.comment(rule, name, 'link', { isAd: true });
    await world.runToEnd(rule);
    expect(await world.messagesTo(name)).toHaveLength(1);
  });

  it('gets what the rule has and nothing else', async () => {
    const rule = await world.rule({ commentReply: null });
    const name = somebody();
    const comment = await world.comment(rule, name);
    const silent = await world.rule({ dmMessage: null, commentReply: 'Look above' });
    const other = somebody();
    const second = await world.comment(silent, other);
    await Promise.all([rule, silent].map((each) => world.runToEnd(each)));
    expect([await world.repliesTo(comment), await world.messagesTo(other)]).toEqual([[], []]);
    expect(await world.messagesTo(name)).toHaveLength(1);
    expect(await world.repliesTo(second)).toMatchObject([{ text: 'Look above' }]);
  });

  it('has buttons beneath its message, and raw links where they are not tracked', async () => {
    const buttons = [{ type: 'url' as const, title: 'Shop', url: 'https://shop.example/a' }];
    const [tracking, raw] = [await world.rule({ buttons }), await world.rule({ buttons, links: [] })];
    const [one, two] = [somebody(), somebody()];
    await world.comment(tracking, one);
    await world.comment(raw, two);
    await Promise.all([tracking, raw].map((rule) => world.runToEnd(rule)));
    expect(await world.messagesTo(one)).toMatchObject([{ buttons: [{ title: 'Shop', url: tracked }] }]);
    expect(await world.messagesTo(two)).toMatchObject([
      { text: 'Here it is: https://shop.example/a', buttons: [{ url: 'https://shop.example/a' }] },
    ]);
  });

  it('is answered by each workspace that has the account and a rule', async () => {
    const rule = await world.rule({ dmMessage: null });
    const elsewhere = await connectAccount(table, newId(startMs), instagram.account);
    const other = await storeRule(table, elsewhere, {
      platformPostId: rule.platformPostId,
      dmMessage: null,
      commentReply: 'Hello from next door',
    });
    const comment = await world.comment(rule, somebody());
    await Promise.all([rule, other].map((each) => world.runToEnd(each)));
    const texts = (await world.repliesTo(comment)).map(({ text }) => text);
    expect(texts.sort()).toEqual(['Hello from next door', 'Sent you a message!']);
  });
});

describe('nothing follows from', () => {
  it.each<[string, Parameters<World['rule']>[0], string]>([
    ['a comment that says something else', {}, 'hello'],
    ['a rule that is switched off', { isActive: false }, 'link'],
  ])('%s', async (_what, changes, text) => {
    const rule = await world.rule(changes);
    await world.comment(rule, somebody(), text);
    expect(await world.actions(rule.id)).toEqual([]);
  });

  it('the account’s own comments and replies', async () => {
    const rule = await world.rule({ keywords: [] });
    await world.comment(rule, String(instagram.account.username));
    expect(await world.actions(rule.id)).toEqual([]);
  });

  it('a webhook that comes again, in whatever shape', async () => {
    const rule = await world.rule();
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
    } as unknown as Parameters<World['take']>[0][number];
    const shapes = ['changes', 'in the entry', 'comment_id', 'numbers', 'in a list'] as const;
    await Promise.all(shapes.map((shape) => world.take([told, told], shape)));
    await world.runToEnd(rule);
    expect(await world.messagesTo(name)).toHaveLength(1);
    expect(await world.repliesTo(comment)).toHaveLength(1);
    expect(await world.counts(rule.id)).toMatchObject({ matches: 1 });
  });

  it('an account that nobody has connected, or garbage; both are counted', async () => {
    const { ingestDelivery } = await import('../../../../lib/automations/inbound/ingest-delivery.ts');
    const value = { id: '1', text: 'link', from: { id: '2' }, media: { id: '3' } };
    const foreign = JSON.stringify({
      object: 'instagram',
      entry: [{ id: '4', changes: [{ field: 'comments', value }] }],
    });
    expect(await ingestDelivery(world.takePorts, foreign)).toMatchObject({ unknownAccount: 1, taken: 0 });
    const long = 'é'.repeat(500);
    const bodies = ['', 'no JSON', '{}', '[1]', '{"entry":[{"id":5}]}', foreign.replace('"1"', `"${long}"`)];
    for (const body of bodies) {
      expect(await ingestDelivery(world.takePorts, body)).toMatchObject({ unreadable: 1, taken: 0 });
    }
  });
});

describe('an action that waits ends politely', () => {
  it('where its rule was deleted', async () => {
    const rule = await world.rule();
    await world.comment(rule, somebody());
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: automationKey(rule.workspaceId, rule.id) }),
    );
    expect(await world.work()).toEqual(['failed', 'failed']);
    expect((await world.actions(rule.id)).map(({ error }) => error)).toEqual([
      'not sent: the automation was deleted',
      'not sent: the automation was deleted',
    ]);
    expect(await world.counts(rule.id)).toMatchObject({ failures: 2 });
  });

  it('where the comment is gone, or is too old', async () => {
    const rule = await world.rule();
    const name = somebody();
    await world.comment(rule, name);
    instagram.advance((7 * dayMs) / 1_000 + 60);
    expect(await world.work()).toEqual(['failed', 'failed']);
    expect(await world.messagesTo(name)).toEqual([]);
  });

  it('where the authorization has ended; the account is marked', async () => {
    const rule = await world.rule({ commentReply: null });
    await world.comment(rule, somebody());
    await instagram.plan('messages', 'error:190');
    expect(await world.work()).toEqual(['failed']);
    expect(world.marks).toEqual([expect.stringMatching(/^expired: /)]);
  });
});

describe('an action waits', () => {
  it('for as long as a rate limit says, without counting it as a failure', async () => {
    const rule = await world.rule({ commentReply: null });
    const name = somebody();
    await world.comment(rule, name);
    await instagram.plan('messages', 'rate-limit');
    expect(await world.work()).toEqual(['waiting']);
    const [waiting] = await world.actions(rule.id);
    expect(Date.parse(waiting?.wakeAt ?? '') - world.clock.now()).toBeGreaterThanOrEqual(5 * 60_000);
    expect(waiting?.failures).toBe(0);
    await world.runToEnd(rule);
    expect(await world.messagesTo(name)).toHaveLength(1);
  });

  it('longer from failure to failure, and gives up after six hours', async () => {
    const rule = await world.rule({ commentReply: null });
    await world.comment(rule, somebody());
    const begun = world.clock.now();
    const { PlatformError } = await import('../../../../lib/platforms/contract/errors.ts');
    const failing = {
      ...world.ports,
      accessToken: async () => {
        throw new PlatformError('retry', 'busy');
      },
    };
    for (let tries = 0; tries < 100; tries += 1) {
      const [action] = await world.actions(rule.id);
      if (action?.wakeAt === undefined) break;
      world.clock.time = Math.max(world.clock.time, Date.parse(action.wakeAt));
      world.queue.splice(0);
      await world.sweepAt(world.clock.time + 60_000);
      await world.work(failing);
    }
    const [end] = await world.actions(rule.id);
    expect(end).toMatchObject({ state: 'failed', error: expect.stringContaining('given up after 6 hours') });
    expect(world.clock.now() - begun).toBeGreaterThan(5 * hourMs);
    expect(world.clock.now() - begun).toBeLessThan(7 * hourMs);
  });
});
