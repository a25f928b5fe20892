import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { payload, type WebhookEvent } from '@herald/platform-simulators/instagram/webhook-shapes.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nameOf, postsNamed } from '../../../../lib/automations/answered-posts.ts';
import { ingestDelivery } from '../../../../lib/automations/inbound/ingest-delivery.ts';
import { resendDueIntake } from '../../../../lib/automations/inbound/resend-intake.ts';
import type { Automation } from '../../../../lib/automations/schemas.ts';
import { insertAutomation, startAutomation } from '../../../../lib/automations/store.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { updateItem } from '../../../../lib/table/items.ts';
import { automationKey, inboundCommentKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { anAutomation } from '../../../support/automations.ts';
import { changeTarget, storePost } from '../../../support/builders.ts';
import { type ControlAnswer, openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let table: Table;
let instagram: SimulatedInstagram;
let fixture: Fixture;
let name: string;
let people = 0;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
beforeEach(async () => {
  table = await createTestTable();
  fixture = await openFixture(table, instagram);
  name = `posts.${++people}`;
  // Posts of other tests are older than every automation of this one.
  fixture.clock.time += minuteMs;
});
afterAll(() => instagram.close());

/** Stores an automation as the API does. */
async function automationFor(posts: Parameters<typeof nameOf>[0], changes: Partial<Automation> = {}) {
  const { workspaceId, account, clock } = fixture;
  const at = toTimestamp(clock.now());
  const automation = anAutomation(workspaceId, {
    id: newId(clock.now()),
    accountId: account.id,
    platformPostId: nameOf(posts),
    keywords: ['link'],
    dmMessage: `From ${posts.kind}`,
    createdAt: at,
    updatedAt: at,
    ...changes,
  });
  expect(await insertAutomation(table, automation)).toBe('stored');
  return automation;
}

/** A scheduled post of Herald, and its destination on the account. */
async function scheduledPost(changes: Partial<Target> = {}) {
  const { targets } = await storePost(table, fixture.workspaceId, [
    { accountId: fixture.account.id, ...changes },
  ]);
  const [target] = targets;
  if (!target) throw new Error('no target');
  return target;
}

const publishing = (target: Target) => changeTarget(table, target, { status: 'publishing' });
const live = (target: Target, platformPostId: string) =>
  changeTarget(table, target, {
    status: 'published',
    platformPostId,
    publishedAt: toTimestamp(fixture.clock.now()),
    wakeAt: null,
  });

const stored = async ({ id }: Automation) =>
  (
    await table.client.send(
      new GetCommand({ TableName: table.name, Key: automationKey(fixture.workspaceId, id) }),
    )
  ).Item as Automation;
const commentItem = async ({ id }: ControlAnswer) => {
  const Key = inboundCommentKey(fixture.workspaceId, fixture.account.id, id);
  return (await table.client.send(new GetCommand({ TableName: table.name, Key }))).Item;
};
const textsTo = async (username: string) => (await fixture.messagesTo(username)).map(({ text }) => text);
const says = (platformPostId: string, text = 'link', username = name) =>
  fixture.comment({ platformPostId }, username, text);

/** Lets time pass in steps, with a sweep each minute. */
async function pass(milliseconds: number) {
  const endMs = fixture.clock.now() + milliseconds;
  await fixture.work();
  while (fixture.clock.now() < endMs) {
    fixture.clock.time = Math.min(endMs, fixture.clock.now() + 10 * secondMs);
    await fixture.work();
    if (fixture.clock.now() % minuteMs < 10 * secondMs) await fixture.sweep();
    await fixture.work();
  }
}

describe('the name of posts', () => {
  it.each([
    { kind: 'post', platformPostId: '1789' },
    { kind: 'herald post', postId: newId(0) },
    { kind: 'next post' },
    { kind: 'next post', platformPostId: '1789' },
    { kind: 'every post' },
  ] as const)('is read back: %o', (posts) => {
    expect(postsNamed(nameOf(posts))).toEqual(posts);
  });
});

describe('an automation of a post of Herald that is not live', () => {
  it('answers the first comment, even if it arrives before the post is stored as live', async () => {
    const target = await scheduledPost();
    const automation = await automationFor({ kind: 'herald post', postId: target.postId });
    const calling = await publishing(target);
    const platformPostId = await fixture.post();
    const early = await says(platformPostId);
    await fixture.work();
    expect(await textsTo(name)).toEqual([]);
    expect(await commentItem(early)).toMatchObject({ heldFor: automation.id });

    await live(calling, platformPostId);
    await pass(10 * secondMs);
    expect(await textsTo(name)).toEqual(['From herald post']);
    expect(await commentItem(early)).toMatchObject({ automationId: automation.id });
    expect(await commentItem(early)).not.toHaveProperty('heldFor');
    expect(await stored(automation)).toMatchObject({ platformPostId, version: 2 });
  });

  it('answers later comments directly, and each person once', async () => {
    const target = await scheduledPost();
    const automation = await automationFor({ kind: 'herald post', postId: target.postId });
    const platformPostId = await fixture.post();
    await live(target, platformPostId);
    await says(platformPostId);
    await pass(secondMs);
    await says(platformPostId);
    await says(platformPostId, 'link', `${name}.b`);
    await fixture.work();
    expect(await textsTo(name)).toEqual(['From herald post']);
    expect(await textsTo(`${name}.b`)).toEqual(['From herald post']);
    expect(await fixture.counts(automation.id)).toMatchObject({ matches: 3, messages: 2 });
  });

  it('starts without any webhook, and reads the comments that came before', async () => {
    const target = await scheduledPost({ scheduledFor: toTimestamp(fixture.clock.now()) });
    const automation = await automationFor({ kind: 'herald post', postId: target.postId });
    const platformPostId = await fixture.post();
    // Its webhook is lost.
    await instagram.act('comments', { postId: platformPostId, username: name, text: 'link' });
    await live(target, platformPostId);
    await pass(3 * minuteMs);
    expect(await stored(automation)).toMatchObject({ platformPostId });
    expect(await textsTo(name)).toEqual(['From herald post']);
    await pass(hourMs);
    expect(await textsTo(name)).toEqual(['From herald post']);
  });

  it('starts within an hour if it was changed at the moment in which it was about to start', async () => {
    const target = await scheduledPost();
    const automation = await automationFor({ kind: 'herald post', postId: target.postId });
    const platformPostId = await fixture.post();
    await instagram.act('comments', { postId: platformPostId, username: name, text: 'link' });
    await live(target, platformPostId);
    fixture.clock.time += minuteMs;
    await fixture.sweep();
    const key = automationKey(fixture.workspaceId, automation.id);
    const send = table.client.send.bind(table.client) as (command: object) => Promise<unknown>;
    const client = new Proxy(table.client, {
      get: (of, property) =>
        property === 'send'
          ? async (command: object) => {
              if (command.constructor.name === 'TransactWriteCommand')
                await updateItem(table, key, { set: { version: 2 }, if: unconditionally });
              return send(command);
            }
          : Reflect.get(of, property, of),
    });
    await fixture.work({ ...fixture.ports, table: { ...table, client } });
    expect(await stored(automation)).toMatchObject({ platformPostId: automation.platformPostId });
    await pass(hourMs + 2 * minuteMs);
    expect(await textsTo(name)).toEqual(['From herald post']);
  });

  it('does not hold comments on other posts while its post waits', async () => {
    const target = await scheduledPost();
    await automationFor({ kind: 'herald post', postId: target.postId });
    const other = await says(await fixture.post());
    expect(await commentItem(other)).not.toHaveProperty('heldFor');
    expect(fixture.queue).toEqual([]);
  });

  it('leaves a comment alone that was on another post, once its post is live', async () => {
    const target = await scheduledPost();
    await automationFor({ kind: 'herald post', postId: target.postId });
    const calling = await publishing(target);
    const other = await says(await fixture.post());
    expect(await commentItem(other)).toHaveProperty('heldFor');
    await live(calling, await fixture.post());
    await pass(minuteMs);
    expect(await commentItem(other)).not.toHaveProperty('heldFor');
    expect(await textsTo(name)).toEqual([]);
  });

  it('gives up on a comment after a day, and leaves it to the automation of every post', async () => {
    const target = await scheduledPost();
    await automationFor({ kind: 'herald post', postId: target.postId });
    await automationFor({ kind: 'every post' });
    await publishing(target);
    await says(await fixture.post());
    await pass(hourMs);
    expect(await textsTo(name)).toEqual([]);
    fixture.clock.time += dayMs;
    await pass(10 * minuteMs);
    expect(await textsTo(name)).toEqual(['From every post']);
  });

  it.each(['every read', 'the read of its claim'])(
    'loses no comment if it gets the post after %s',
    async (read) => {
      const target = await scheduledPost();
      const automation = await automationFor({ kind: 'herald post', postId: target.postId });
      const platformPostId = await fixture.post();
      await live(target, platformPostId);
      let starting: Promise<unknown> | undefined;
      const start = () => {
        starting ??= startAutomation(table, automation, platformPostId, fixture.clock.now());
        return starting;
      };
      const send = table.client.send.bind(table.client) as (command: object) => Promise<unknown>;
      const client = new Proxy(table.client, {
        get: (of, property) =>
          property === 'send'
            ? async (command: object) => {
                const isQuery = command.constructor.name === 'QueryCommand';
                const isClaims = JSON.stringify(command).includes('"NEXT#');
                // A query that is sent with the read of the claims comes later.
                if (isQuery) await starting;
                const found = send(command);
                if (isClaims || (read === 'every read' && isQuery)) await found.then(start);
                return found;
              }
            : Reflect.get(of, property, of),
      });
      await instagram.act('comments', { postId: platformPostId, username: name, text: 'link' });
      const [made] = (await instagram.list('comments')).filter(({ username }) => username === name);
      const comment = made as unknown as Extract<WebhookEvent, { field: 'comments' }>['comment'];
      const igId = fixture.account.platformAccountId;
      const body = payload(
        [{ field: 'comments', igId, comment, isAd: false }],
        'changes',
        fixture.clock.now(),
      );
      await ingestDelivery({ ...fixture.ingestPorts, table: { ...table, client } }, body);
      await pass(minuteMs);
      expect(await textsTo(name)).toEqual(['From herald post']);
    },
  );

  it('loses no comment if the message about it is lost, and answers it once if it comes twice', async () => {
    const target = await scheduledPost();
    await automationFor({ kind: 'herald post', postId: target.postId });
    const calling = await publishing(target);
    const platformPostId = await fixture.post();
    await says(platformPostId);
    const [message] = fixture.queue.splice(0);
    await live(calling, platformPostId);
    await pass(3 * minuteMs);
    expect(await textsTo(name)).toEqual(['From herald post']);
    if (message) fixture.queue.push(message, message);
    await pass(minuteMs);
    expect(await textsTo(name)).toEqual(['From herald post']);
  });
});

describe('an automation of the next post', () => {
  it('answers on the first post after it was created, wherever it was made, and on no other', async () => {
    const before = await fixture.post();
    fixture.clock.time += minuteMs;
    const automation = await automationFor({ kind: 'next post' });
    fixture.clock.time += minuteMs;
    await says(before, 'link', `${name}.before`);
    await pass(secondMs);
    const first = await fixture.post();
    fixture.clock.time += minuteMs;
    const second = await fixture.post();
    await says(second, 'link', `${name}.second`);
    await pass(secondMs);
    await says(first);
    await pass(secondMs);
    expect(await textsTo(name)).toEqual(['From next post']);
    expect(await textsTo(`${name}.before`)).toEqual([]);
    expect(await textsTo(`${name}.second`)).toEqual([]);
    expect(await stored(automation)).toMatchObject({
      platformPostId: nameOf({ kind: 'next post', platformPostId: first }),
    });
  });

  it('waits for a post that the platform does not show yet', async () => {
    await automationFor({ kind: 'next post' });
    const platformPostId = await fixture.post();
    const commentPlatformFor = fixture.ports.commentPlatformFor;
    const hiding: typeof fixture.ports = {
      ...fixture.ports,
      commentPlatformFor: (platform) => {
        const found = commentPlatformFor(platform);
        return found && { ...found, readPost: async () => undefined };
      },
    };
    await says(platformPostId);
    await fixture.work(hiding);
    expect(await textsTo(name)).toEqual([]);
    await pass(minuteMs);
    expect(await textsTo(name)).toEqual(['From next post']);
  });

  it('starts on a comment that arrives more than a day late', async () => {
    await automationFor({ kind: 'next post' });
    await says(await fixture.post());
    fixture.clock.time += dayMs + minuteMs;
    await pass(minuteMs);
    expect(await textsTo(name)).toEqual(['From next post']);
  });

  it('leaves a post alone that was the next one of another automation', async () => {
    const first = await fixture.post();
    await automationFor({ kind: 'next post', platformPostId: first }, { keywords: ['other'] });
    const automation = await automationFor({ kind: 'next post' });
    await says(first);
    await pass(secondMs);
    expect(await stored(automation)).toMatchObject({ platformPostId: nameOf({ kind: 'next post' }) });
    const second = await fixture.post();
    await says(second);
    await pass(secondMs);
    expect(await stored(automation)).toMatchObject({
      platformPostId: nameOf({ kind: 'next post', platformPostId: second }),
    });
    expect(await textsTo(name)).toEqual(['From next post']);
  });

  it('asks the platform once about an older post', async () => {
    const before = await fixture.post();
    fixture.clock.time += minuteMs;
    await automationFor({ kind: 'next post' });
    await says(before);
    await pass(secondMs);
    const later = await says(before, 'link', `${name}.b`);
    expect(await commentItem(later)).not.toHaveProperty('heldFor');
  });
});

describe('several automations that match a comment', () => {
  it.each<[answers: string, changes: Partial<Record<'post' | 'next' | 'every', Partial<Automation>>>]>([
    ['From post', {}],
    ['From next post', { post: { keywords: ['other'] } }],
    ['From next post', { post: { isActive: false } }],
    ['From every post', { post: { keywords: ['other'] }, next: { isActive: false } }],
  ])('have only one answer: %s', async (answer, { post = {}, next = {}, every = {} }) => {
    await automationFor({ kind: 'every post' }, every);
    await automationFor({ kind: 'next post' }, next);
    const platformPostId = await fixture.post();
    await automationFor({ kind: 'post', platformPostId }, post);
    await says(platformPostId);
    await pass(minuteMs);
    expect(await textsTo(name)).toEqual([answer]);
  });
});

describe('the sweep', () => {
  it('does not look at the same comment again at once', async () => {
    const target = await scheduledPost();
    await automationFor({ kind: 'herald post', postId: target.postId });
    await publishing(target);
    await says(await fixture.post());
    fixture.queue.splice(0);
    const ports = {
      table,
      now: () => fixture.clock.now(),
      sendAll: async () => new Set<never>(),
      report: (_key: unknown, error: unknown) => {
        throw error;
      },
    };
    fixture.clock.time += minuteMs;
    const deadline = fixture.clock.now() + minuteMs;
    expect(await resendDueIntake(ports, deadline)).toBe(2);
    expect(await resendDueIntake(ports, deadline)).toBe(0);
  });
});
