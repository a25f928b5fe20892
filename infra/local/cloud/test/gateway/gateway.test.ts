import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenBucket } from '../../engines/token-bucket.ts';
import { type Gateway, type GatewayOptions, openGateway } from '../../gateway/gateway.ts';
import type { CorsRule } from '../../model.ts';
import type { InvokeOutcome } from '../../runtime/execution-environment.ts';

const opened: Gateway[] = [];
afterEach(() => Promise.all(opened.splice(0).map((gateway) => gateway.stop())));

type Event = { readonly rawPath: string; readonly headers: Record<string, string>; readonly body?: string };

async function open(
  invoke: (event: Event) => Promise<InvokeOutcome> | InvokeOutcome = echo,
  options: Partial<GatewayOptions> & { cors?: CorsRule } = {},
): Promise<Gateway> {
  const { cors, ...gatewayOptions } = options;
  const gateway = await openGateway({ port: 0, now: () => 0, ...gatewayOptions });
  opened.push(gateway);
  const routes = [{ routeKey: 'ANY /{proxy+}', functionArn: 'f' }];
  gateway.serve({
    api: { routes, ...(cors && { cors }) },
    accountId: '000000000000',
    invoke: async (_, event) => invoke(event as Event),
  });
  return gateway;
}

const ok = (result: unknown): InvokeOutcome => ({ ok: true, result });
const echo = ({ rawPath, body }: Event) => ok({ statusCode: 200, body: `${rawPath} ${body ?? ''}` });
const failed = (errorType: string): InvokeOutcome => ({
  ok: false,
  error: { errorType, errorMessage: 'secret' },
});

/** Returns everything that the server sends to a client that sends only this request. */
async function raw(gateway: Gateway, request: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.end(request);
  return text(socket);
}

const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

describe('the gateway', () => {
  it("answers with the function's reply", async () => {
    const { url } = await open(() => ok({ statusCode: 201, headers: { 'x-a': 'b' }, body: 'made' }));
    const response = await fetch(`${url}/x`);
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'made']);
    expect(response.headers.get('apigw-requestid')).toMatch(/^.{16}$/);
  });

  it('answers 429, without invoking the function, if the stage has no token', async () => {
    let invocations = 0;
    const count = (event: Event) => {
      invocations += 1;
      return echo(event);
    };
    const bucket = createTokenBucket({ perSecond: 0, burst: 1 });
    const { url } = await open(count, { bucket });
    expect((await fetch(`${url}/x`)).status).toBe(200);
    const refused = await fetch(`${url}/x`);
    expect([refused.status, await refused.json()]).toEqual([429, { message: 'Too Many Requests' }]);
    expect(invocations).toBe(1);
  });

  it('answers HEAD and 204 without a body', async () => {
    const { url } = await open(({ rawPath }) =>
      ok({ statusCode: rawPath === '/none' ? 204 : 200, body: 'text' }),
    );
    const head = await fetch(`${url}/x`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', '']);
    expect((await fetch(`${url}/none`)).status).toBe(204);
  });

  it.each([
    ['a failed function', failed('Error'), 500, 'Internal Server Error'],
    ['a throttled function', failed('TooManyRequestsException'), 503, 'Service Unavailable'],
    ['an event that Lambda refuses', failed('RequestTooLargeException'), 413, 'Request Entity Too Large'],
    ['a body that is not text', ok({ statusCode: 200, body: {} }), 500, 'Internal Server Error'],
  ])('replies with an error for %s', async (_, outcome, status, message) => {
    const { url } = await open(() => outcome);
    const response = await fetch(`${url}/x`);
    expect([response.status, await response.json()]).toEqual([status, { message }]);
  });

  it('replies with an error if invoke throws', async () => {
    const { url } = await open(() => {
      throw new Error('broken');
    });
    expect((await fetch(`${url}/x`)).status).toBe(500);
  });

  it('does not wait longer than its limit for a function', async () => {
    const { url } = await open(() => new Promise(() => {}), { integrationLimitMs: 30 });
    expect((await fetch(`${url}/x`)).status).toBe(503);
  });

  it('answers 404 if no route matches, and 503 before it serves', async () => {
    const early = await openGateway({ port: 0, now: () => 0 });
    opened.push(early);
    expect((await fetch(early.url)).status).toBe(503);
    const { url } = await open();
    expect(await (await fetch(url)).json()).toEqual({ message: 'Not Found' });
  });

  it('answers preflight requests itself if CORS is configured', async () => {
    const cors = { allowedOrigins: ['*'], allowedMethods: ['*'], allowedHeaders: [], exposedHeaders: [] };
    const { url } = await open(() => failed('never called'), { cors });
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const response = await fetch(`${url}/x`, { method: 'OPTIONS', headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect((await fetch(`${url}/x`, { headers })).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('names the port that is in use', async () => {
    const { url } = await open();
    const port = Number(new URL(url).port);
    await expect(openGateway({ port, now: () => 0 })).rejects.toThrow(
      `port ${port} is in use: stop the other program or set PORT`,
    );
  });
});

describe('the size limits', () => {
  it('give 413 for a large body, with or without Content-Length, and the next request is answered', async () => {
    const { url } = await open();
    const body = Buffer.alloc(10 * 1024 * 1024 + 1);
    const declared = await fetch(`${url}/x`, { method: 'POST', body });
    const chunked = await fetch(`${url}/x`, {
      method: 'POST',
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([declared.status, chunked.status]).toEqual([413, 413]);
    expect(await declared.json()).toEqual({ message: 'Request Entity Too Large' });
    expect((await fetch(`${url}/x`)).status).toBe(200);
  });

  it('let a smaller body pass', async () => {
    const { url } = await open(({ body = '' }) => ok({ statusCode: 200, body: String(body.length) }));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/x`, { method: 'POST', body: 'x'.repeat(1024 * 1024), headers });
    expect(await response.text()).toBe(String(1024 * 1024));
  });

  it.each([11_000, 30_000, 200_000])('give 431 for headers of %d bytes', async (bytes) => {
    const gateway = await open();
    const answer = await raw(gateway, `GET /x HTTP/1.1\r\nHost: a\r\nA: ${'x'.repeat(bytes)}\r\n\r\n`);
    expect(statuses(answer)).toEqual(['431']);
  });
});

describe('a hostile client', () => {
  it.each([
    ['nonsense', 'hello\r\n\r\n', ['400']],
    ['an unknown version', 'GET /x HTTP/9.9\r\n\r\n', ['400']],
    ['no host', 'GET /x HTTP/1.1\r\n\r\n', ['400']],
    ['a bad length', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', ['400']],
    [
      'two lengths',
      'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ['400'],
    ],
    ['a bad chunk', 'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n', []],
    ['NUL in a header', 'GET /x HTTP/1.1\r\nHost: a\r\nB: \0\r\n\r\n', ['400']],
    ['NUL in the path', 'GET /x\0y HTTP/1.1\r\nHost: a\r\n\r\n', ['400']],
    ['half a request', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf', []],
    ['half a head', 'GET /x HTTP/1.1\r\nHos', ['400']],
    ['nothing', '', []],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', []],
    [
      'an upgrade',
      'GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      ['200'],
    ],
    ['a broken escape', 'GET /%zz?%E0%A4%A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', ['200']],
    ['a strange path', 'GET ///..//;?? HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', ['200']],
    ['another host', 'GET http://b/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', ['200']],
  ])('sends %s and is answered or disconnected', async (_, request, expected) => {
    const gateway = await open();
    expect(statuses(await raw(gateway, request))).toEqual(expected);
    expect((await fetch(`${gateway.url}/still-there`)).status).toBe(200);
  });

  it('gets the responses to pipelined requests in order', async () => {
    const gateway = await open(async (event) => {
      await new Promise((settle) => setTimeout(settle, event.rawPath === '/1' ? 30 : 0));
      return echo(event);
    });
    const request = (path: string, connection: string) =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(request('/1', 'keep-alive') + request('/2', 'keep-alive') + request('/3', 'close'));
    const answer = await text(socket);
    expect(statuses(answer)).toEqual(['200', '200', '200']);
    expect([...answer.matchAll(/\r\n\r\n\/(\d)/g)].map(([, path]) => path)).toEqual(['1', '2', '3']);
  });

  it('cannot get an error in place of an earlier response', async () => {
    const gateway = await open(() => new Promise((settle) => setTimeout(settle, 50, ok('late'))));
    expect(await raw(gateway, 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n')).not.toContain('400');
  });

  it('that sends half a request and waits is disconnected', async () => {
    const gateway = await open(echo, { headersLimitMs: 50 });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write('GET /x HTTP/1.1\r\nHost');
    expect(statuses(await text(socket))).toEqual(['408']);
  });

  it('that disconnects early does not affect others', async () => {
    let calls = 0;
    const gateway = await open(async (event) => {
      calls += 1;
      await new Promise((settle) => setTimeout(settle, 20));
      return echo(event);
    });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write('GET /x HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => calls).toBe(1);
    socket.resetAndDestroy();
    expect((await fetch(`${gateway.url}/x`)).status).toBe(200);
  });
});

describe('closing', () => {
  it('still answers pending requests', async () => {
    const invoked = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<InvokeOutcome>();
    const gateway = await open(() => {
      invoked.resolve();
      return finished.promise;
    });
    const response = fetch(`${gateway.url}/x`);
    await invoked.promise;
    gateway.close();
    finished.resolve(ok('late'));
    expect(await (await response).text()).toBe('late');
    await expect(fetch(`${gateway.url}/x`)).rejects.toThrow();
  });
});
