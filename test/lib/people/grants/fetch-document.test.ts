import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { pinnedConnections } from '../../../../lib/http-client/address-guard/pinned-connections.ts';
import { fetchClientDocumentOf } from '../../../../lib/people/grants/fetch-document.ts';
import { elapse, stopTime } from '../../../support/stopped-time.ts';

const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/client.json': (response) => response.end('{"client_id":"x"}'),
  '/large': (response) => response.end('x'.repeat(10_241)),
  '/endless': (response) => {
    const more = () => {
      if (response.destroyed) return;
      if (response.write(Buffer.alloc(4_096, 'x'))) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  },
  '/moved': (response) => response.writeHead(301, { location: '/client.json' }).end(),
  '/to-metadata': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/missing': (response) => response.writeHead(404).end('{}'),
  '/error': (response) => response.writeHead(500).end('{}'),
  '/silent': () => undefined,
  '/stalls': (response) => response.writeHead(200).write('{'),
};

const server = createServer((request, response) => void answers[request.url ?? '']?.(response));
let origin: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const read = fetchClientDocumentOf(pinnedConnections(), { plainHttpHosts: new Set(['127.0.0.1']) });

describe('a metadata document', () => {
  it('is read', async () => {
    expect(await read(`${origin}/client.json`)).toEqual({ text: '{"client_id":"x"}' });
  });

  it.each([
    ['/large', 'larger than 10240 bytes'],
    ['/endless', 'larger than 10240 bytes'],
    ['/moved', 'redirects'],
    ['/to-metadata', 'redirects'],
    ['/missing', 'responded 404'],
    ['/error', 'responded 500'],
  ])('is not read at %s', async (path, problem) => {
    expect(await read(`${origin}${path}`)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it.each(['/silent', '/stalls'])('is not waited for longer than four seconds at %s', async (path) => {
    stopTime();
    const reading = read(`${origin}${path}`);
    await once(server, 'request');
    expect(await elapse(4_000, reading)).toEqual({ problem: expect.stringContaining('4 s') });
  });

  it.each([
    'http://agent.example.com/client.json',
    'https://127.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/client.json',
    'https://10.0.0.1/client.json',
    'https://localhost/client.json',
    'https://herald.internal/client.json',
    'https://agent.example.com:22/client.json',
    'https://user@agent.example.com/client.json',
    'file:///etc/passwd',
  ])('is not asked for at %s', async (url) => {
    expect(await read(url)).toEqual({ problem: expect.stringContaining('must') });
  });
});
