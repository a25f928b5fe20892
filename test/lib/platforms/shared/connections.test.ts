import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlatformHttp } from '../../../../lib/platforms/contract/http.ts';
import { createPlatformHttp } from '../../../../lib/platforms/shared/http.ts';
import { selfSignedCertificate } from '../../../support/certificate.ts';

interface Arrival {
  readonly method: string;
  /** The number of the connection, from 1. */
  readonly connection: number;
  /** The number of the request on its connection, from 1. */
  readonly nth: number;
}

interface Platform {
  readonly arrivals: Arrival[];
  /** The sockets of all connections, in order; with TLS, after their handshakes. */
  readonly connections: Socket[];
  readonly http: PlatformHttp;
  /** The client's clock. */
  readonly clock: { time: number };
}

type Respond = (response: ServerResponse, arrival: Arrival, request: IncomingMessage) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const schemes = ['http', 'https'] as const;
const certificate = selfSignedCertificate(['localhost']);

/** Starts a local platform that counts its connections and what each of them carries. */
async function openPlatform(
  scheme: (typeof schemes)[number],
  {
    respond = (response) => response.end('{}'),
    mostRequests = 0,
    keepAliveTimeout,
  }: { respond?: Respond; mostRequests?: number; keepAliveTimeout?: number } = {},
): Promise<Platform> {
  const arrivals: Arrival[] = [];
  const connections: Socket[] = [];
  const carried = new Map<Socket, number>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { socket, method = '' } = request;
    const nth = (carried.get(socket) ?? 0) + 1;
    carried.set(socket, nth);
    const arrival = { method, connection: connections.indexOf(socket) + 1, nth };
    arrivals.push(arrival);
    respond(response, arrival, request);
  };
  const options = { ...(keepAliveTimeout !== undefined && { keepAliveTimeout }) };
  const server =
    scheme === 'http'
      ? createServer(options, handle)
      : createSecureServer({ ...options, ...certificate }, handle);
  servers.push(server);
  server.maxRequestsPerSocket = mostRequests;
  server.on(scheme === 'http' ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections.push(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const base = `${scheme}://localhost:${(server.address() as AddressInfo).port}`;
  const clock = { time: 0 };
  const http = createPlatformHttp({
    platform: 'instagram',
    baseUrls: { instagram: base },
    authorities: certificate.cert,
    now: () => clock.time,
  });
  return { arrivals, connections, http, clock };
}

const url = 'https://graph.example.com/v1/me';
const get = ({ http }: Platform) => http.send({ method: 'GET', url });
const post = ({ http }: Platform) => http.send({ method: 'POST', url, body: { json: {} } });
const lastCall = ({ http }: Platform) =>
  http.send({ method: 'POST', url, body: { json: {} }, isLastCall: true });

/** Resolves once the server has this many connections: a client's TLS handshake ends before the server's. */
async function accepted({ connections }: Platform, count: number): Promise<void> {
  while (connections.length < count) await new Promise((resolve) => setImmediate(resolve));
}

/** Node.js cannot reset a TLS connection. For the client, a close before any response is the same. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Resets a connection at its second request. */
const resetReused: Respond = (response, { nth }, request) => {
  if (nth > 1) reset(request.socket);
  else response.end('{}');
};

describe.each(schemes)('an idle connection (%s)', (scheme) => {
  it.each<[string, number, { keepAliveTimeout?: number; mostRequests?: number }, number]>([
    ['is reused within 2 s', 1_999, {}, 1],
    ['is not reused after 2 s', 2_000, {}, 2],
    ['is reused until a second before the server closes it', 999, { keepAliveTimeout: 2_000 }, 1],
    ['is not reused in the last second before the server closes it', 1_000, { keepAliveTimeout: 2_000 }, 2],
    ['is not kept if the server closes it after 1 s', 0, { keepAliveTimeout: 1_000 }, 2],
    ['is not kept after the most requests that the server allows', 0, { mostRequests: 1 }, 2],
  ])('%s', async (_title, idleMs, options, expected) => {
    const platform = await openPlatform(scheme, options);
    await get(platform);
    platform.clock.time += idleMs;
    await get(platform);
    expect(platform.arrivals).toHaveLength(2);
    expect(platform.connections).toHaveLength(expected);
  });
});

describe.each(schemes)('a reused connection that the server resets before any response (%s)', (scheme) => {
  it('has its GET repeated once, on a new connection', async () => {
    const platform = await openPlatform(scheme, { respond: resetReused });
    await get(platform);
    expect(await get(platform)).toMatchObject({ status: 200 });
    expect(platform.arrivals).toEqual([
      { method: 'GET', connection: 1, nth: 1 },
      { method: 'GET', connection: 1, nth: 2 },
      { method: 'GET', connection: 2, nth: 1 },
    ]);
  });

  it('fails its GET if the new connection is reset too', async () => {
    const platform = await openPlatform(scheme, {
      respond: (response, { connection, nth }, request) =>
        connection === 1 && nth === 1 ? response.end('{}') : reset(request.socket),
    });
    await get(platform);
    await expect(get(platform)).rejects.toMatchObject({ remedy: 'unknown' });
    expect(platform.arrivals).toHaveLength(3);
  });

  it('does not use a connection that was opened ahead for a repeated GET', async () => {
    const platform = await openPlatform(scheme, { respond: resetReused });
    await get(platform);
    await platform.http.connectAhead(url);
    await get(platform);
    await lastCall(platform);
    expect(platform.arrivals.at(-1)).toEqual({ method: 'POST', connection: 2, nth: 1 });
  });

  it.each(['POST', 'PUT', 'DELETE'] as const)('never has its %s repeated', async (method) => {
    const platform = await openPlatform(scheme, { respond: resetReused });
    await get(platform);
    await expect(platform.http.send({ method, url })).rejects.toMatchObject({ remedy: 'unknown' });
    expect(platform.arrivals.filter((arrival) => arrival.method === method)).toHaveLength(1);
  });
});

describe.each(schemes)('a last call (%s)', (scheme) => {
  it('uses the connection that was opened ahead, which has carried nothing', async () => {
    const platform = await openPlatform(scheme);
    await get(platform);
    await platform.http.connectAhead(url);
    await accepted(platform, 2);
    await lastCall(platform);
    expect(platform.arrivals.at(-1)).toEqual({ method: 'POST', connection: 2, nth: 1 });
    expect(platform.connections).toHaveLength(2);
  });

  it('opens a new connection if none was opened ahead, although idle ones are kept', async () => {
    const platform = await openPlatform(scheme);
    await get(platform);
    await lastCall(platform);
    await lastCall(platform);
    expect(platform.arrivals.map(({ connection }) => connection)).toEqual([1, 2, 3]);
  });

  it('leaves the connection that was opened ahead to other last calls: other requests do not use it', async () => {
    const platform = await openPlatform(scheme);
    await platform.http.connectAhead(url);
    await post(platform);
    await lastCall(platform);
    expect(platform.arrivals.map(({ connection }) => connection)).toEqual([2, 1]);
  });

  it('shares no connection with other last calls of the same moment', async () => {
    const platform = await openPlatform(scheme);
    await Promise.all([1, 2, 3].map(() => platform.http.connectAhead(url)));
    await Promise.all([1, 2, 3].map(() => lastCall(platform)));
    expect(platform.connections).toHaveLength(3);
    expect(new Set(platform.arrivals.map(({ connection }) => connection)).size).toBe(3);
  });

  it('does not use a connection to another host', async () => {
    const [platform, other] = [await openPlatform(scheme), await openPlatform(scheme)];
    await other.http.connectAhead(url);
    await lastCall(platform);
    expect(platform.arrivals).toHaveLength(1);
  });

  it('joins a connection that is being opened', async () => {
    const platform = await openPlatform(scheme);
    const connected = platform.http.connectAhead(url);
    await lastCall(platform);
    await connected;
    expect(platform.connections).toHaveLength(1);
  });

  it('does not use a connection that was opened 4 s ago, as after a freeze', async () => {
    const platform = await openPlatform(scheme);
    await platform.http.connectAhead(url);
    platform.clock.time += 4_000;
    await lastCall(platform);
    expect(platform.arrivals.at(-1)).toEqual({ method: 'POST', connection: 2, nth: 1 });
  });

  it.each([
    ['closed', (socket: Socket) => socket.end()],
    ['reset', reset],
    ['answered before the call', (socket: Socket) => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n')],
  ])('does not use a connection that the server has %s', async (_title, disturb) => {
    const platform = await openPlatform(scheme);
    await platform.http.connectAhead(url);
    await accepted(platform, 1);
    const [first] = platform.connections;
    if (!first) throw new Error('no connection');
    disturb(first);
    await once(first, 'close');
    // After a round trip the client has read what happened before it.
    await get(platform);
    expect(await lastCall(platform)).toMatchObject({ status: 200 });
    expect(platform.arrivals.at(-1)).toEqual({ method: 'POST', connection: 3, nth: 1 });
  });

  it('has an unknown outcome if its connection, opened ahead, is lost after the request', async () => {
    const platform = await openPlatform(scheme, {
      respond: (_response, _arrival, request) => reset(request.socket),
    });
    await platform.http.connectAhead(url);
    await expect(lastCall(platform)).rejects.toMatchObject({ remedy: 'unknown' });
    expect(platform.arrivals).toHaveLength(1);
  });
});

describe('opening a connection ahead', () => {
  it('does not fail if nobody answers, and the call then says that it could not connect', async () => {
    const platform = await openPlatform('http');
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    await platform.http.connectAhead(url);
    await expect(lastCall(platform)).rejects.toMatchObject({ remedy: 'retry' });
  });

  it('does not fail if the certificate is not trusted, and the call then says so', async () => {
    const { http } = await openPlatform('https');
    const distrusting = createPlatformHttp({
      platform: 'instagram',
      baseUrls: { instagram: http.addressOf('https://').slice(0, -1) },
    });
    await distrusting.connectAhead(url);
    await expect(distrusting.send({ method: 'POST', url, isLastCall: true })).rejects.toMatchObject({
      remedy: 'retry',
    });
  });

  it('does not fail if the URL is none of a platform', async () => {
    const { http } = await openPlatform('http');
    await http.connectAhead('not a URL');
  });
});
