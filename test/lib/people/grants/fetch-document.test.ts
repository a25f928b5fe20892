import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { pinnedConnections } from '../../../../lib/http-client/address-guard/pinned-connections.ts';
import { fetchClientDocumentOf } from '../../../../lib/people/grants/fetch-document.ts';
import { elapse, stopTime } from '../../../support/stopped-time.ts';

const as = (type: string) => (response: ServerResponse) =>
  response.setHeader('content-type', type).end('{"client_id":"x"}');

const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/client.json': as('application/json'),
  '/with-charset': as('application/json; charset=utf-8'),
  '/as-client': as('application/oauth-client+json'),
  '/as-text': as('text/plain'),
  '/as-page': as('text/html; charset=utf-8'),
  '/as-file': as('application/octet-stream'),
  '/as-script': as('application/jsonp'),
  '/untyped': (response) => {
    response.removeHeader('content-type');
    response.end('{"client_id":"x"}');
  },
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

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  answers[request.url ?? '']?.(response);
});
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
  it.each(['/client.json', '/with-charset', '/as-client'])('is read at %s', async (path) => {
    expect(await read(`${origin}${path}`)).toEqual({ text: '{"client_id":"x"}' });
  });

  it.each(['/as-text', '/as-page', '/as-file', '/as-script', '/untyped'])(
    'is no file that somebody has put on another’s host: %s',
    async (path) => {
      expect(await read(`${origin}${path}`)).toEqual({ problem: 'it is not served as JSON' });
    },
  );

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
