import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlatformRequest } from '../../../../lib/platforms/contract/http.ts';
import { createPlatformHttp, type PlatformHttpOptions } from '../../../../lib/platforms/shared/http.ts';
import { stopTime } from '../../../support/stopped-time.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let respond: Respond;
let received: {
  method?: string;
  url?: string;
  headers: IncomingMessage['headers'];
  body: string;
  port?: number;
}[];
let base: string;

beforeEach(async () => {
  stopTime();
  received = [];
  respond = (_request, response) => response.end('{}');
  server = createServer(async (request, response) => {
    respond(request, response);
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body, port: request.socket.remotePort ?? 0 });
  });
  base = await listen(server);
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

async function listen(listening: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const client = (options: Partial<PlatformHttpOptions> = {}) =>
  createPlatformHttp({ platform: 'instagram', baseUrls: { instagram: base }, ...options });
const get = (options: Partial<PlatformHttpOptions> = {}, request: Partial<PlatformRequest> = {}) =>
  client(options).send({ method: 'GET', url: 'https://graph.example.com/v1/me', ...request });
const upload = (stream: Readable, sizeBytes: number) =>
  get({}, { method: 'PUT', body: { open: async () => stream, contentType: 'video/mp4', sizeBytes } });

describe('a request', () => {
  it('reaches the simulator under the real host’s name, with query, token and form', async () => {
    await get(
      {},
      {
        method: 'POST',
        query: { fields: 'id,caption', absent: undefined },
        bearer: 's3cret',
        body: { form: { caption: 'Kaffee & Kuchen', absent: undefined } },
      },
    );
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/graph.example.com/v1/me?fields=id%2Ccaption',
        body: 'caption=Kaffee+%26+Kuchen',
        headers: {
          authorization: 'Bearer s3cret',
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': '25',
        },
      },
    ]);
  });

  it('streams exactly the bytes it declares', async () => {
    await upload(Readable.from([Buffer.from('ab'), Buffer.from('cd')]), 4);
    expect(received).toMatchObject([{ body: 'abcd', headers: { 'content-length': '4' } }]);
  });

  it('with an empty body declares a content length of 0', async () => {
    await get({}, { method: 'PUT', body: { empty: true } });
    expect(received[0]?.headers['content-length']).toBe('0');
  });

  it('goes to the platform itself if there is no simulator, only over https', () => {
    expect(client({ baseUrls: {} }).addressOf('https://graph.example.com/me')).toBe(
      'https://graph.example.com/me',
    );
    expect(() => client().addressOf('http://graph.example.com/me')).toThrow(TypeError);
  });

  it('reuses a connection, but not one that was idle for long', async () => {
    let time = 0;
    const http = client({ now: () => time });
    const call = () => http.send({ method: 'GET', url: 'https://graph.example.com/' });
    await call();
    await call();
    time = 60_000;
    await call();
    const [first, second, third] = received.map(({ port }) => port);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('a response', () => {
  it('has ids beyond 2^53 as text, at any depth, and other numbers unchanged', async () => {
    respond = (_request, response) =>
      response.end('{"user_id":17841400000000001,"list":[-9007199254740993,12.5,1e3],"big":1e999}');
    expect((await get()).json).toEqual({
      user_id: '17841400000000001',
      list: ['-9007199254740993', 12.5, 1000],
      big: '1e999',
    });
  });

  it.each(['', '<html>', '{"half":', '['.repeat(200_000)])(
    'that is not JSON (%#) has no parsed body',
    async (body) => {
      respond = (_request, response) => response.end(body);
      expect(await get()).toMatchObject({ json: undefined, text: body, status: 200 });
    },
  );

  it('is returned whatever its status; a redirect is not followed', async () => {
    respond = (_request, response) => response.writeHead(302, { location: 'https://evil.example/' }).end();
    expect(await get()).toMatchObject({ status: 302, headers: { location: 'https://evil.example/' } });
    expect(received).toHaveLength(1);
  });

  it('has URLs of the simulator rewritten to the platform’s own', async () => {
    respond = (_request, response) =>
      response.writeHead(200, { location: `${base}/upload.example.com/s?id=1` }).end();
    expect((await get()).headers['location']).toBe('https://upload.example.com/s?id=1');
  });

  it('counts even if it arrives before the whole body was sent', async () => {
    respond = (_request, response) => response.writeHead(401).end('{"error":"expired"}');
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    const answer = await upload(endless, 1_000_000_000);
    expect(answer).toMatchObject({ status: 401, json: { error: 'expired' } });
    expect(endless.destroyed).toBe(true);
  });
});

describe('a failure', () => {
  it.each<[string, Respond]>([
    ['a lost connection', (_request, response) => response.destroy()],
    [
      'half a response',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"id":', () => response.destroy());
      },
    ],
    [
      'an endless response',
      (_request, response) => {
        const piece = Buffer.alloc(65_536, 'x');
        const pour = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', pour);
        pour();
      },
    ],
  ])('has an unknown outcome after %s', async (_name, behaviour) => {
    respond = behaviour;
    await expect(get()).rejects.toMatchObject({ name: 'PlatformError', remedy: 'unknown' });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['no response', () => {}],
    ['a response that arrives too slowly', (response) => response.write(' ')],
  ])('has an unknown outcome after the total time for %s', async (_name, everyFiveSeconds) => {
    const arrived = Promise.withResolvers<ServerResponse>();
    respond = (_request, response) => arrived.resolve(response);
    const failure = get({ limits: { totalSeconds: 20, idleSeconds: 3_600 } });
    failure.catch(() => undefined);
    const response = await arrived.promise;
    for (let seconds = 0; seconds < 20; seconds += 5) {
      everyFiveSeconds(response);
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(5_000);
    }
    await expect(failure).rejects.toMatchObject({
      remedy: 'unknown',
      message: expect.stringContaining('no complete response within 20 s'),
    });
  });

  it('has an unknown outcome if nothing is sent or received for long', async () => {
    respond = () => {};
    // The server never responds and the time of the other limits stands still, so only this limit can end the call.
    const failure = get({ limits: { totalSeconds: 20, idleSeconds: 0.02 } });
    await expect(failure).rejects.toMatchObject({
      remedy: 'unknown',
      message: expect.stringContaining('no data sent or received for 0.02 s'),
    });
  });

  it('names the call without its query, which may hold a secret', async () => {
    respond = (_request, response) => response.destroy();
    const failure = get(
      {},
      {
        url: 'https://graph.example.com/me?client_secret=s3cret',
        query: { code: 's3cret' },
      },
    );
    await expect(failure).rejects.toThrow(
      /^GET graph\.example\.com\/me: the connection failed \(ECONNRESET\)$/,
    );
  });

  it('is a retry if the connection is refused', async () => {
    const [gone] = [base, server.close(), await once(server, 'close')];
    const failure = get({ baseUrls: { instagram: gone } });
    await expect(failure).rejects.toMatchObject({
      remedy: 'retry',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is a retry if the host name does not resolve', async () => {
    const failure = get({ baseUrls: { instagram: 'http://nowhere.invalid' } });
    await expect(failure).rejects.toMatchObject({ remedy: 'retry' });
  });

  it('is a retry if the TLS handshake does not end in time', async () => {
    const silent = createTcpServer();
    const secure = (await listen(silent)).replace('http:', 'https:');
    const failure = get({ baseUrls: { instagram: secure }, limits: { connectSeconds: 5 } });
    failure.catch(() => undefined);
    await once(silent, 'connection');
    vi.advanceTimersByTime(5_000);
    await expect(failure).rejects.toMatchObject({
      remedy: 'retry',
      message: expect.stringContaining('no connection'),
    });
    silent.close();
  });

  it.each<[string, () => Readable]>([
    ['is shorter than declared', () => Readable.from([Buffer.from('ab')])],
    ['is longer than declared', () => Readable.from([Buffer.from('abcdef')])],
    [
      'fails in the middle',
      () =>
        Readable.from(
          (function* () {
            yield Buffer.from('ab');
            throw new Error('disk on fire');
          })(),
        ),
    ],
  ])('is a retry if the file %s, because an incomplete request has no effect', async (_name, open) => {
    await expect(upload(open(), 4)).rejects.toMatchObject({
      remedy: 'retry',
      message: 'the media file could not be read',
    });
  });

  it('is a retry, without a call to the platform, if the file cannot be opened', async () => {
    const open = async () => {
      throw new Error('no such key');
    };
    const body = { open, contentType: 'video/mp4', sizeBytes: 4 };
    await expect(get({}, { method: 'PUT', body })).rejects.toMatchObject({ remedy: 'retry' });
    expect(received).toEqual([]);
  });
});

it('reads a file no faster than the platform accepts it', async () => {
  const sizeBytes = 256 * 1_048_576;
  let readBytes = 0;
  const file = Readable.from(
    (function* () {
      for (; readBytes < sizeBytes; readBytes += 65_536) yield Buffer.alloc(65_536);
    })(),
  );
  server.removeAllListeners('request').on('request', async (_request, response) => {
    // Without reading the body, until the client has stopped to send it.
    for (let before = -1; before < readBytes; ) {
      before = readBytes;
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    response.writeHead(503).end();
  });
  expect(await upload(file, sizeBytes)).toMatchObject({ status: 503 });
  // The kernel's socket buffers hold less than this.
  expect(readBytes).toBeLessThan(32 * 1_048_576);
});
