import { createServer, type Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pinnedConnections } from '../../../../lib/http-client/address-guard/pinned-connections.ts';
import { parsePlainHttpHosts } from '../../../../lib/http-client/address-guard/public-url.ts';
import { withoutBrackets } from '../../../../lib/http-client/address-guard/resolve-public.ts';
import { createWebhookSender, postPinned } from '../../../../lib/webhooks/transport/sender.ts';
import { checkReachableUrl } from '../../../../lib/webhooks/transport/url.ts';
import { stopTime } from '../../../support/stopped-time.ts';
import { requestTo, startReceiver } from '../receiver.ts';
import { badAnswers, badUrls } from './bad-urls.ts';

/** Listeners where the bad URLs lead: on any port, and on 443 and 8443 if this machine permits it. */
const listeners: Server[] = [];
let port = 0;
let seen = 0;
const connecting = vi.spyOn(Socket.prototype, 'connect');

beforeAll(async () => {
  port = (await listen(0)) ?? 0;
  await Promise.all([listen(443), listen(8443)]);
  expect(port).toBeGreaterThan(0);
});
beforeEach(() => stopTime());
afterEach(() => {
  vi.useRealTimers();
  seen = 0;
  connecting.mockClear();
});
afterAll(() => {
  connecting.mockRestore();
  for (const listener of listeners) listener.close();
});

async function listen(wanted: number): Promise<number | undefined> {
  const server = createServer((socket) => {
    seen += 1;
    socket.destroy();
  });
  return new Promise((resolve) => {
    server.on('error', () => resolve(undefined));
    // Listens on all addresses of this machine, IPv4 and IPv6.
    server.listen(wanted, '::', () => {
      listeners.push(server);
      const address = server.address();
      resolve(typeof address === 'object' ? address?.port : undefined);
    });
  });
}

const plainHttpHosts = parsePlainHttpHosts('127.0.0.1,[::1],localhost');
const publicAnswer = async () => ['93.184.216.34'];

/** The hosts of the bad URLs: addresses, or any other text. */
const answers = [...new Set(badUrls.flatMap((text) => URL.parse(text)?.hostname || []).map(withoutBrackets))];

describe('delivery', () => {
  it('to this machine would be noticed by the listener and the socket count', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      seen = 0;
      connecting.mockClear();
      const sender = createWebhookSender({ plainHttpHosts });
      expect(await sender.send(requestTo(`http://${host}:${port}/`))).toMatchObject({ delivered: false });
      expect(connecting).toHaveBeenCalled();
      expect(seen).toBe(1);
    }
    connecting.mockClear();
    const url = new URL(`https://hooks.example.com:${port}/`);
    const limits = { connectSeconds: 5, totalSeconds: 5, answerBytes: 1 };
    const pinned = { url, addresses: ['127.0.0.1'], webhookId: '', headers: {}, body: Buffer.of(), limits };
    await postPinned(pinnedConnections(), { ...pinned, begunAtMs: performance.now() });
    expect(connecting).toHaveBeenCalled();
    expect(seen).toBe(2);
  });

  it.each(badUrls)('opens no socket for %j, even if it is stored', async (text) => {
    const sender = createWebhookSender({ lookUp: publicAnswer, plainHttpHosts });
    const outcome = await sender.send(requestTo(text.replace('PORT', String(port))));
    expect(outcome).toMatchObject({ delivered: false, statusCode: null, responseStart: null, isGone: false });
    expect(outcome.error).toMatch(/^not sent: /);
    expect(connecting).not.toHaveBeenCalled();
    expect(seen).toBe(0);
  });

  it.each(
    [...answers, ...badAnswers.flatMap(([, addresses]) => [...addresses])].filter(
      (it) => it !== '93.184.216.34',
    ),
  )('opens no socket if a name that was public now resolves to %j', async (answer) => {
    for (const flipped of [[answer], ['93.184.216.34', answer], [answer, '2606:2800::1']]) {
      let lookUps = 0;
      const lookUp = async () => (lookUps++ === 0 ? publicAnswer() : flipped);
      const url = 'https://hooks.example.com:8443/';
      expect(await checkReachableUrl(url, { lookUp, plainHttpHosts })).toHaveProperty('url');
      const outcome = await createWebhookSender({ lookUp, plainHttpHosts }).send(requestTo(url));
      expect(outcome.error).toBe('not sent: hooks.example.com is not at a public address');
      expect(lookUps).toBe(2);
    }
    expect(connecting).not.toHaveBeenCalled();
    expect(seen).toBe(0);
  });

  it('follows no redirect to them', async () => {
    let location = '';
    const receiver = await startReceiver((response) => {
      response.writeHead(307, { location: encodeURI(location) }).end();
    });
    const sender = createWebhookSender({ lookUp: publicAnswer, plainHttpHosts });
    for (const text of [...badUrls, `http://127.0.0.1:PORT/`, 'https://hooks.example.com/']) {
      location = text.replace('PORT', String(port)).toWellFormed();
      const outcome = await sender.send(requestTo(receiver.url));
      expect(outcome).toMatchObject({ delivered: false, statusCode: 307 });
    }
    expect(receiver.received).toHaveLength(badUrls.length + 2);
    // All requests used the one connection to the receiver.
    expect(connecting).toHaveBeenCalledTimes(1);
    expect(seen).toBe(0);
    sender.close();
    receiver.close();
  });
});
