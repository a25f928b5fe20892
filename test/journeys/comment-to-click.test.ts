import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { demoUsername } from '../../bin/dev/platforms.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { type Client, clientOf, until } from './support/client.ts';

let cloud: CloudVisit;
let client: Client;
let receiver: Server;
const told: { type: string; data: Record<string, never> }[] = [];

visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    told.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  receiver.close();
});

/** Calls the control address of the simulated Instagram. */
async function control(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${cloud.platforms['instagram']?.control}/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

interface Message {
  readonly id: string;
  readonly username: string;
  readonly from: string;
  readonly text: string;
  readonly buttons: readonly { readonly url?: string }[];
}

const messagesTo = async (username: string) =>
  ((await control('GET', 'messages')) as unknown as Message[]).filter(
    (message) => message.username === username && message.from === 'account',
  );

it('a comment gets a reply, and a follower who taps the button gets the link and clicks it', async () => {
  const { port } = receiver.address() as AddressInfo;
  await client.expectStatus(201, 'POST', '/v1/webhooks', {
    url: `http://localhost:${port}/hook`,
    events: ['comment.received', 'dm.received'],
  });
  const post = await control('POST', 'posts', { username: demoUsername('demo') });
  const target = 'https://shop.example.com/sale?utm=1';
  const automation = {
    accountId: client.accountId('instagram'),
    platformPostId: post['id'],
    keywords: ['sale'],
    commentReply: 'Look into your messages!',
    dmMessage: 'Here you are',
    buttons: [{ type: 'url', title: 'To the sale', url: target }],
    followGate: {
      message: 'Tap for the link',
      buttonLabel: 'Send it',
      notFollowingMessage: 'Follow us first',
    },
  };
  const made = (await client.expectStatus(201, 'POST', '/v1/comment-automations', automation)).json() as {
    automation: { id: string };
  };

  const comment = { postId: post['id'], username: 'clara', text: 'Where is the SALE?' };
  await control('POST', 'comments', comment);
  const [question] = await until(
    () => messagesTo('clara'),
    ({ length }) => length === 1,
  );
  await until(
    async () => Object.values(await control('GET', 'replies')) as { postId: string }[],
    (replies) => replies.filter(({ postId }) => postId === post['id']).length === 1,
  );
  await control('POST', 'follows', { username: 'clara', follows: true });
  await control('POST', 'taps', { messageId: question?.id, button: 'Send it' });
  const [, answer] = await until(
    () => messagesTo('clara'),
    ({ length }) => length === 2,
  );
  expect(answer?.text).toBe('Here you are');

  const address = new URL(answer?.buttons[0]?.url ?? '');
  expect(address.pathname).toMatch(/^\/r\/[0-9A-Za-z]{10,}$/);
  const click = await fetch(address, { redirect: 'manual' });
  expect([click.status, click.headers.get('location')]).toEqual([302, target]);

  const path = `/v1/comment-automations/${made.automation.id}`;
  const readCounts = async () => {
    const { automation } = (await client.expectStatus(200, 'GET', path)).json() as {
      automation: { counts: Record<string, number> };
    };
    return automation.counts;
  };
  await until(readCounts, ({ messaged, clicks }) => messaged === 2 && clicks === 1);
  expect(await readCounts()).toEqual({ matched: 1, replied: 1, messaged: 2, clicks: 1, failed: 0 });

  const [event] = await until(
    () => told,
    ({ length }) => length > 0,
  );
  expect(event).toMatchObject({
    type: 'comment.received',
    data: { text: comment.text, username: 'clara', automationId: made.automation.id },
  });
  // Neither the account's own reply nor the tap on its button causes an event.
  expect(told.map(({ type }) => type)).toEqual(['comment.received']);
});

it('a reply to a story gets the message at once, and a message with a keyword another', async () => {
  const made = await Promise.all(
    ['story_replies', 'direct_messages'].map(async (appliesTo) => {
      const automation = {
        accountId: client.accountId('instagram'),
        appliesTo,
        keywords: ['sale'],
        dmMessage: `For ${appliesTo}`,
        trackLinks: false,
      };
      const reply = await client.expectStatus(201, 'POST', '/v1/comment-automations', automation);
      return (reply.json() as { automation: { id: string } }).automation.id;
    }),
  );
  const account = demoUsername('demo');
  const written = { username: 'dora', account, text: 'Is the sale still on?' };
  await control('POST', 'messages', { ...written, storyId: '17900000000000099' });
  await until(
    () => messagesTo('dora'),
    ({ length }) => length === 1,
  );
  await control('POST', 'messages', written);
  const sent = await until(
    () => messagesTo('dora'),
    ({ length }) => length === 2,
  );
  expect(sent.map(({ text }) => text)).toEqual(['For story_replies', 'For direct_messages']);
  for (const id of made) {
    const path = `/v1/comment-automations/${id}`;
    await until(
      async () => (await client.expectStatus(200, 'GET', `${path}/conversations`)).json(),
      (log) => JSON.stringify(log).includes('"state":"done"'),
    );
    const log = (await client.expectStatus(200, 'GET', `${path}/conversations`)).json();
    expect(log).toMatchObject({ conversations: [{ text: written.text, commentId: null, sent: 'message' }] });
    await client.expectStatus(200, 'DELETE', path);
  }
});
