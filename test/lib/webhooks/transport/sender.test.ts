import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parsePlainHttpHosts } from '../../../../lib/http-client/address-guard/public-url.ts';
import { createWebhookSender, type WebhookSenderOptions } from '../../../../lib/webhooks/transport/sender.ts';
import { elapse, stopTime } from '../../../support/stopped-time.ts';
import { type Received, requestTo, secret, startRawReceiver, startReceiver } from '../receiver.ts';

const plainHttpHosts = parsePlainHttpHosts('127.0.0.1,[::1],localhost');
const now = Date.parse('2026-11-06T08:49:37.900Z');
const open: { close(): void }[] = [];
beforeEach(() => stopTime());
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  vi.useRealTimers();
});

function senderOf(options: Partial<WebhookSenderOptions> = {}) {
  const sender = createWebhookSender({ plainHttpHosts, now: () => now, ...options });
  open.push(sender);
  return sender;
}

async function receiverThat(...answer: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...answer);
  open.push(receiver);
  return receiver;
}

async function rawReceiverThat(talk: Parameters<typeof startRawReceiver>[0]) {
  const receiver = await startRawReceiver(talk);
  open.push(receiver);
  return receiver;
}

/** The outcome of a POST to a receiver that responds like this. */
async function outcomeOf(
  answer: (response: ServerResponse) => void,
  options?: Partial<WebhookSenderOptions>,
) {
  const receiver = await receiverThat(answer);
  return senderOf(options).send(requestTo(receiver.url));
}

/** The outcome of a POST to a receiver that writes these bytes once it has received something. */
async function outcomeOfRaw(bytes: string, isClosed: boolean, options?: Partial<WebhookSenderOptions>) {
  const receiver = await rawReceiverThat((socket) => {
    socket.once('data', () => (isClosed ? socket.end(bytes) : socket.write(bytes)));
  });
  return senderOf(options).send(requestTo(receiver.url));
}

describe('an attempt', () => {
  it('posts the exact bytes, signed with the current time, with the ids of event and delivery', async () => {
    const receiver = await receiverThat();
    const body = Buffer.from('{"text":"Grüße 👋"}\r\n ');
    const request = requestTo(receiver.url, { body, secrets: ['whsec_new', 'whsec_old'] });
    expect(await senderOf().send(request)).toEqual({
      delivered: true,
      statusCode: 200,
      latencyMs: expect.any(Number),
      responseStart: 'ok',
      error: null,
      isGone: false,
    });
    const t = Math.floor(now / 1_000);
    const [v1, old] = ['whsec_new', 'whsec_old'].map((key) =>
      createHmac('sha256', key).update(`${t}.`).update(body).digest('hex'),
    );
    const [{ headers, ...received }] = receiver.received as [Received];
    expect(received.body).toEqual(body);
    expect(headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': 'Herald-Webhooks/1',
      'x-service-signature': `t=${t},v1=${v1},v1=${old}`,
      'x-service-event-id': request.eventId,
      'x-service-delivery-id': request.deliveryId,
    });
  });

  it('reaches a receiver on localhost whether it listens on IPv4 or IPv6', async () => {
    const receiver = await receiverThat();
    const outcome = await senderOf().send(requestTo(`http://localhost:${receiver.port}/`));
    expect(outcome).toMatchObject({ delivered: true });
    expect(receiver.received[0]?.headers.host).toBe(`localhost:${receiver.port}`);
  });

  it.each([200, 201, 202, 204, 206, 299])('succeeds with %i', async (status) => {
    const outcome = await outcomeOf((response) => response.writeHead(status).end());
    expect(outcome).toMatchObject({ delivered: true, statusCode: status, responseStart: '', error: null });
  });

  it.each([
    [400, 'responded 400'],
    [401, 'responded 401'],
    [404, 'responded 404'],
    [410, 'responded 410: the receiver wants no more events'],
    [429, 'responded 429'],
    [500, 'responded 500'],
    [503, 'responded 503'],
    [304, 'responded 304'],
    [301, 'responded 301: redirects are not followed, so change the endpoint to the final URL'],
    [302, 'responded 302: redirects are not followed, so change the endpoint to the final URL'],
    [303, 'responded 303: redirects are not followed, so change the endpoint to the final URL'],
    [307, 'responded 307: redirects are not followed, so change the endpoint to the final URL'],
    [308, 'responded 308: redirects are not followed, so change the endpoint to the final URL'],
  ])('fails with %i: %s', async (status, error) => {
    const outcome = await outcomeOf((response) => response.writeHead(status, { location: '/there' }).end());
    expect(outcome).toMatchObject({ delivered: false, statusCode: status, error, isGone: status === 410 });
  });

  it('follows no redirect, not even on the same host', async () => {
    const receiver = await receiverThat((response) => response.writeHead(308, { location: '/there' }).end());
    await senderOf().send(requestTo(receiver.url));
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['9999999999', 9_999_999_999],
    ['Fri, 06 Nov 2026 08:50:37 GMT', 60],
    ['Friday, 06-Nov-26 08:50:37 GMT', 60],
    ['Fri Nov  6 08:50:37 2026', 60],
    ['Fri, 06 Nov 2026 08:49:38 GMT', 1],
    ['Fri, 06 Nov 1994 08:49:37 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-11-06T08:50:37Z', undefined],
    ['', undefined],
  ])('reads Retry-After: %j as %s seconds', async (header, seconds) => {
    for (const status of [429, 503, 500]) {
      const outcome = await outcomeOf((response) =>
        response.writeHead(status, { 'retry-after': header }).end(),
      );
      expect(outcome.retryAfterSeconds).toBe(seconds);
    }
    const welcome = await outcomeOf((response) => response.writeHead(200, { 'retry-after': header }).end());
    expect(welcome).not.toHaveProperty('retryAfterSeconds');
  });
});

describe('the start of the response', () => {
  it.each([
    ['at most 1,000 characters', 'x'.repeat(5_000), 'x'.repeat(1_000)],
    ['1,000 characters of three bytes', '東'.repeat(1_100), '東'.repeat(1_000)],
    ['no half of a surrogate pair', `${'x'.repeat(999)}👋`, `${'x'.repeat(999)}\ufffd`],
    [
      'no control characters',
      'a\u0000b\u001b[31mc\u007f\u009bd\r\ne\tf',
      'a\ufffdb\ufffd[31mc\ufffd\ufffdd\ufffd\ne\tf',
    ],
    ['no characters that change the writing direction', 'a\u202eb\u2066c\u2028d', 'a\ufffdb\ufffdc\ufffdd'],
    ['no bytes that are not text', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\ufffd\ufffdb'],
  ])('shows %s', async (_what, body, shown) => {
    expect((await outcomeOf((response) => response.end(body))).responseStart).toBe(shown);
  });
});

describe('an attempt at a receiver that misbehaves', () => {
  const hurried = { limits: { totalSeconds: 0.2 } };
  const late = 'no complete response within 0.2 s';
  const closed = 'the connection was closed before the response was complete';

  /** Lets 50 ms pass again and again while a connection is open, so that what was sent before has arrived. */
  function passTime(connection: ServerResponse | Socket, each: () => void = () => undefined): void {
    const timer = setInterval(() => {
      each();
      vi.advanceTimersByTime(50);
    }, 1);
    connection.on('close', () => clearInterval(timer));
  }

  it.each<[string, (response: ServerResponse) => void, object]>([
    ['hangs', (response) => passTime(response), { statusCode: null, responseStart: null }],
    [
      'never ends its response',
      (response) => {
        response.write('partly');
        passTime(response);
      },
      { statusCode: 200, responseStart: 'partly' },
    ],
    [
      'sends a byte now and then',
      (response) => passTime(response, () => response.write('.')),
      { statusCode: 200, responseStart: expect.stringMatching(/^\.{2,}$/) },
    ],
    [
      'sends 102 responses without end',
      (response) => passTime(response, () => response.writeProcessing()),
      { statusCode: null },
    ],
  ])('ends in time if the receiver %s', async (_what, answer, expected) => {
    const outcome = await outcomeOf(answer, hurried);
    expect(outcome).toMatchObject({ delivered: false, error: late, latencyMs: 200, ...expected });
  });

  it('ends in time if the receiver sends its headers byte by byte', async () => {
    const receiver = await rawReceiverThat((socket) => {
      const bytes = [...'HTTP/1.1 200 OK\r\nX-Slow: slow\r\n'];
      passTime(socket, () => socket.write(bytes.shift() ?? 'x'));
    });
    const outcome = await senderOf(hurried).send(requestTo(receiver.url));
    expect(outcome).toMatchObject({ delivered: false, statusCode: null, error: late });
  });

  it('succeeds, cut off at the limit, if the receiver sends bytes without end', async () => {
    let sent = 0;
    const cut = Promise.withResolvers<void>();
    const outcome = await outcomeOf((response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) sent += 16_384;
      };
      response.on('drain', pour).on('close', () => cut.resolve());
      pour();
    });
    expect(outcome).toMatchObject({ delivered: true, statusCode: 200, responseStart: 'x'.repeat(1_000) });
    await cut.promise;
    // The buffers of two sockets hold this much at most.
    expect(sent).toBeLessThan(32 * 1_024 * 1_024);
  });

  it('fails with the status if an error response is too long', async () => {
    const outcome = await outcomeOf((response) => response.writeHead(500).end('x'.repeat(200_000)));
    expect(outcome).toMatchObject({ delivered: false, statusCode: 500, error: 'responded 500' });
  });

  it.each<[string, string, boolean, string]>([
    ['closes immediately', '', true, closed],
    ['closes within the headers', 'HTTP/1.1 200 OK\r\nX-Half', true, closed],
    ['closes within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartly', true, closed],
    [
      'closes within a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\npartly',
      true,
      closed,
    ],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', false, 'the response is not valid HTTP'],
    [
      'speaks invalid HTTP',
      'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n',
      false,
      'the response is not valid HTTP',
    ],
    [
      'sends two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      false,
      'the response is not valid HTTP',
    ],
    [
      'sends huge headers',
      `HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(100_000)}\r\n\r\n`,
      false,
      'the headers of the response are too large',
    ],
    [
      'changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      false,
      closed,
    ],
  ])('fails if the receiver %s', async (_what, bytes, isClosed, error) => {
    expect(await outcomeOfRaw(bytes, isClosed)).toMatchObject({ delivered: false, error });
  });

  it('fails if the receiver resets the connection', async () => {
    const receiver = await rawReceiverThat((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const outcome = await senderOf().send(requestTo(receiver.url));
    expect(outcome).toMatchObject({ delivered: false, statusCode: null, error: closed });
  });

  it('fails if nothing listens', async () => {
    const receiver = await startReceiver();
    receiver.close();
    const outcome = await senderOf().send(requestTo(receiver.url));
    expect(outcome).toMatchObject({
      delivered: false,
      statusCode: null,
      error: 'the connection was refused',
    });
  });

  it('fails within the connection limit if the name servers do not answer', async () => {
    const sender = senderOf({ lookUp: () => new Promise(() => undefined), limits: { connectSeconds: 0.1 } });
    const outcome = await elapse(100, sender.send(requestTo('https://hooks.example.com/')));
    expect(outcome.error).toBe(
      'not sent: hooks.example.com could not be resolved: its name servers do not answer',
    );
    expect(outcome.latencyMs).toBe(100);
  });

  it('never reveals the secret in its outcome', async () => {
    const outcomes = await Promise.all([
      outcomeOf((response) => response.writeHead(500).end()),
      outcomeOf((response) => passTime(response), hurried),
      senderOf().send(requestTo('https://127.0.0.1/')),
    ]);
    expect(JSON.stringify(outcomes)).not.toContain(secret);
    expect(JSON.stringify(outcomes)).not.toContain('v1=');
  });
});

describe('connections', () => {
  it('are reused for the same endpoint', async () => {
    const receiver = await receiverThat();
    const sender = senderOf();
    for (let sent = 0; sent < 5; sent += 1) await sender.send(requestTo(receiver.url));
    expect(receiver.received).toHaveLength(5);
    expect(receiver.connections()).toBe(1);
  });

  it('are not shared with another endpoint of the same host', async () => {
    const receiver = await receiverThat();
    const sender = senderOf();
    await sender.send(requestTo(receiver.url, { webhookId: 'one' }));
    await sender.send(requestTo(receiver.url, { webhookId: 'other' }));
    expect(receiver.connections()).toBe(2);
  });

  it('are not reused after a response that was cut off', async () => {
    const receiver = await receiverThat((response) => response.end('x'.repeat(200_000)));
    const sender = senderOf();
    for (let sent = 0; sent < 2; sent += 1) {
      expect(await sender.send(requestTo(receiver.url))).toMatchObject({ delivered: true });
    }
    expect(receiver.connections()).toBe(2);
  });

  it('that the receiver closed in the meantime are replaced within the same attempt', async () => {
    let answered = 0;
    const receiver = await rawReceiverThat((socket) => {
      let isFirst = true;
      socket.on('data', () => {
        // Resets the connection at its second request, as a server does whose keep-alive time is over.
        if (!isFirst) return socket.resetAndDestroy();
        isFirst = false;
        answered += 1;
        return socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const sender = senderOf();
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await sender.send(requestTo(receiver.url))).toMatchObject({ delivered: true, statusCode: 204 });
    }
    expect(answered).toBe(3);
  });

  it('are at most as many as concurrent attempts', async () => {
    const receiver = await receiverThat();
    const sender = senderOf();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => sender.send(requestTo(receiver.url))),
    );
    expect(outcomes.every(({ delivered }) => delivered)).toBe(true);
    expect(receiver.connections()).toBeLessThanOrEqual(30);
  });
});
