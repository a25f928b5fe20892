import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboundEvent } from '../../../../lib/platforms/contract/inbound.ts';
import { isOwnComment } from '../../../../lib/platforms/instagram/inbound.ts';
import {
  isSignedByPlatform,
  readDelivery,
  subscriptionChallenge,
} from '../../../../lib/platforms/instagram/webhook.ts';
import { app, type StartedInstagram, startInstagram } from '../../../support/instagram.ts';

/** A receiving app that verifies and stores deliveries, and fails on request. */
let server: Server;
let failures = 0;
/** Answers wait for this, so that events in the meantime queue up. */
let answering: Promise<void> = Promise.resolve();
let verifyToken: string | undefined = app.webhookVerifyToken;
let deliveries: { readonly signedBy: string; readonly body: string; readonly status: number }[] = [];
let instagram: StartedInstagram;
let postId: string;

beforeEach(async () => {
  [failures, verifyToken, deliveries] = [0, app.webhookVerifyToken, []];
  server = createServer(async (request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? '/', 'http://app').searchParams);
    if (request.method === 'GET') {
      const challenge = subscriptionChallenge(query, verifyToken);
      return response.writeHead(challenge === undefined ? 403 : 200).end(challenge);
    }
    const body = await buffer(request);
    await answering;
    const signature = String(request.headers['x-hub-signature-256']);
    const signedBy = [app.clientSecret, app.metaAppSecret].filter((secret) =>
      isSignedByPlatform(body, signature, [secret]),
    );
    failures -= 1;
    const status = failures >= 0 ? 500 : 200;
    deliveries.push({ signedBy: signedBy.join(), body: body.toString(), status });
    return response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  instagram = await startInstagram(`http://127.0.0.1:${port}/webhook`);
  postId = (await instagram.act('posts', { username: instagram.account.username })).id;
});
afterEach(async () => {
  await instagram.close();
  server.closeAllConnections();
  server.close();
});

const accepted = () => deliveries.filter(({ status }) => status === 200);
const events = (): readonly InboundEvent[] => accepted().flatMap(({ body }) => readDelivery(body).events);
const eventually = <Value>(probe: () => Value) => expect.poll(probe, { timeout: 30_000, interval: 5 });
const arrived = (count: number) => eventually(() => new Set(events().map(idOf)).size).toBe(count);
const idOf = (event: InboundEvent) => (event.kind === 'comment' ? event.commentId : event.messageId);
const comment = (username: string, more = {}) =>
  instagram.act('comments', { postId, username, text: `from ${username}`, ...more });

describe('a webhook', () => {
  it('reports each comment, in every shape, signed with either secret, some of them twice', async () => {
    const made = [];
    for (let number = 0; number < 10; number += 1) {
      made.push(await comment(`fan${number}`, { isAd: number % 4 === 0 }));
      await arrived(made.length);
    }
    await eventually(() => events().length).toBeGreaterThan(10);
    for (const { id, fromId, text } of made) {
      expect(events()).toContainEqual(
        expect.objectContaining({ commentId: id, personId: fromId, text, platformPostId: postId }),
      );
    }
    const bodies = accepted().map(({ body }) => body);
    for (const sign of ['"comment_id":', /^\[/, /"id":\d{17}/, /"time":\d+,"field"/, '"changes":', 'AD']) {
      expect(bodies.filter((body) => new RegExp(sign).test(body))).not.toEqual([]);
    }
    expect(new Set(deliveries.map(({ signedBy }) => signedBy))).toEqual(
      new Set([app.clientSecret, app.metaAppSecret]),
    );
    expect(bodies.every((body) => readDelivery(body).unreadable === 0)).toBe(true);
  });

  it('reports a burst in batches', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answering = promise;
    await Promise.all(Array.from({ length: 40 }, (_, number) => comment(`fan${number}`)));
    resolve();
    await arrived(40);
    expect(accepted().length).toBeLessThan(20);
  });

  it('reports what people write and tap, and the account’s own actions, which the app must ignore', async () => {
    const { id } = await comment('fan');
    const message = {
      attachment: {
        type: 'template',
        payload: {
          template_type: 'button',
          text: 'Tap',
          buttons: [{ type: 'postback', title: 'Done', payload: 'gate:1' }],
        },
      },
    };
    await instagram.call('POST', `${id}/replies`, { message: 'Sent' });
    const { message_id: messageId } = await instagram.call('POST', 'me/messages', {
      recipient: { comment_id: id },
      message,
    });
    await instagram.act('taps', { messageId, button: 'Done' });
    await instagram.act('messages', { username: 'fan', text: 'thanks' });
    await comment(String(instagram.account.username));
    await arrived(4);
    const bodies = () =>
      accepted()
        .map(({ body }) => body)
        .join();
    await eventually(bodies).toContain('"is_echo":true');
    await eventually(bodies).toContain('Sent');

    const { account } = instagram;
    const foreign = events().filter((event) => event.kind !== 'comment' || !isOwnComment(event, account));
    expect(new Set(foreign.map(({ kind }) => kind))).toEqual(new Set(['comment', 'tap', 'message']));
    expect(foreign).toContainEqual(
      expect.objectContaining({ kind: 'tap', payload: 'gate:1', title: 'Done' }),
    );
    expect(foreign).toContainEqual(expect.objectContaining({ kind: 'message', text: 'thanks' }));
    expect(foreign.filter(({ kind }) => kind === 'comment').map(idOf)).toEqual(
      foreign.filter(({ kind }) => kind === 'comment').map(() => id),
    );
  });

  it('is retried until it is accepted', async () => {
    failures = 3;
    const { id } = await comment('fan');
    await arrived(1);
    expect(events().map(idOf)).toContain(id);
    expect(deliveries.filter(({ status }) => status === 500)).toHaveLength(3);
    const told = await instagram.list('webhooks');
    expect(told.map(({ status }) => status).slice(0, 4)).toEqual([500, 500, 500, 200]);
  });

  it('survives a restart of the platform', async () => {
    failures = 1_000;
    await comment('fan');
    await eventually(() => deliveries.length).toBeGreaterThan(1);
    await instagram.restart();
    failures = 0;
    await arrived(1);
  });

  it('is not sent before the app has proven that it knows the verify token', async () => {
    verifyToken = 'another';
    const { id } = await comment('fan');
    await new Promise((resolve) => setImmediate(resolve));
    expect(deliveries).toEqual([]);
    verifyToken = app.webhookVerifyToken;
    await arrived(1);
    expect(events().map(idOf)).toContain(id);
  });

  it('is sent only for subscribed accounts', async () => {
    const other = await instagram.act('posts', { username: 'northlight' });
    await instagram.act('comments', { postId: other.id, username: 'fan', text: 'unheard' });
    await comment('fan');
    await arrived(1);
    expect(deliveries.map(({ body }) => body).join()).not.toContain('unheard');
    await instagram.connect('northlight');
    await instagram.act('comments', { postId: other.id, username: 'fan', text: 'heard' });
    await arrived(2);
  });
});
