import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pinnedConnections } from '../../../lib/http-client/address-guard/pinned-connections.ts';
import { fetchPictureOf, readPageOf } from '../../../lib/link-cards/fetch.ts';
import { elapse, stopTime } from '../../support/stopped-time.ts';

const picture = readFileSync(join(import.meta.dirname, '../../fixtures/image.jpg'));
const html = (title: string) => `<html><head><title>${title}</title></head><body></body></html>`;
const inTurkish = Buffer.from([
  ...Buffer.from('<title>'),
  0xdd,
  0x73,
  0x74,
  ...Buffer.from('</title></head>'),
]);

const send = (response: ServerResponse, type: string, body: string | Buffer, status = 200) =>
  response.writeHead(status, { 'content-type': type }).end(body);
const endless = (response: ServerResponse, piece: Buffer) => {
  const more = () => {
    if (response.destroyed) return;
    if (response.write(piece)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
};

const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/page': (response) => send(response, 'text/html; charset=utf-8', html('Harbour')),
  '/moved': (response) => response.writeHead(301, { location: '/page' }).end(),
  '/xhtml': (response) => send(response, 'application/xhtml+xml', html('Harbour')),
  '/header': (response) => send(response, 'text/html; charset=windows-1254', inTurkish),
  '/meta': (response) =>
    send(response, 'text/html', Buffer.concat([Buffer.from('<meta charset="iso-8859-9">'), inTurkish])),
  '/mark': (response) => send(response, 'text/html', Buffer.from(`\ufeff${html('Harbour')}`, 'utf16le')),
  '/odd-charset': (response) => send(response, 'text/html; charset=klingon', html('Harbour')),
  '/long': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(html('Harbour'));
    endless(response, Buffer.alloc(65_536, 'x'));
  },
  '/no-title': (response) => send(response, 'text/html', '<p>Hello'),
  '/never-a-title': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    endless(response, Buffer.alloc(65_536, 'x'));
  },
  '/missing': (response) => send(response, 'text/html', html('Not found'), 404),
  '/pdf': (response) => send(response, 'application/pdf', '%PDF-1.7'),
  '/typeless': (response) => response.writeHead(200).end(html('A')),
  '/compressed': (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('x'),
  '/to-metadata': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-private': (response) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end(),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/silent': () => undefined,
  '/stalls': (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
  '/picture': (response) => send(response, 'text/plain', picture),
  '/png': (response) => send(response, 'image/png', Buffer.from('89504e470d0a1a0a00', 'hex')),
  '/svg': (response) => send(response, 'image/svg+xml', '<svg onload="alert(1)"/>'),
  '/no-picture': (response) => send(response, 'image/jpeg', '<script>'),
  '/empty': (response) => send(response, 'image/jpeg', ''),
  '/huge': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    endless(response, Buffer.concat([picture, Buffer.alloc(1_048_576)]));
  },
};

const arrivals = new EventEmitter();
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://page');
  answers[pathname]?.(response);
  arrivals.emit(pathname);
});
let origin: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => stopTime());
afterEach(() => void vi.useRealTimers());

const network = { plainHttpHosts: new Set(['127.0.0.1']) };
const readPage = readPageOf(pinnedConnections(), network);
const fetchPicture = fetchPictureOf(pinnedConnections(), network);

describe('reading a page', () => {
  it.each([
    ['/page', 'Harbour'],
    ['/page?a=b#top', 'Harbour'],
    ['/moved', 'Harbour'],
    ['/xhtml', 'Harbour'],
    ['/header', 'İst'],
    ['/meta', 'İst'],
    ['/mark', 'Harbour'],
    ['/odd-charset', 'Harbour'],
    ['/long', 'Harbour'],
  ])('finds the title of %s', async (path, title) => {
    const url = origin + path;
    expect(await readPage(url, 'workspace')).toEqual({ card: { url, title } });
  });

  it.each([
    ['/no-title', 'it has no title'],
    ['/never-a-title', 'it has no title'],
    ['/missing', 'the server responded 404'],
    ['/pdf', 'it is not a web page but application/pdf'],
    ['/typeless', 'it is not a web page but of an unknown type'],
    ['/compressed', 'the server sends it compressed, although that was not asked for'],
    ['/to-metadata', 'it redirects to a URL that must begin with https://'],
    ['/to-private', 'it redirects to a URL that must be at a public address'],
    ['/loop', 'it redirects more than 3 times'],
  ])('says why %s has no card', async (path, problem) => {
    expect(await readPage(origin + path, 'workspace')).toEqual({ problem });
  });

  it.each([
    'https://127.0.0.1/',
    'http://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user:secret@example.com/',
    'https://printer.local/',
    'https://example.com:22/',
  ])('asks nobody at %s', async (url) => {
    expect(await readPage(url, 'workspace')).toEqual({ problem: expect.stringMatching(/^the URL must/) });
  });

  it.each(['/silent', '/stalls'])('gives up after three seconds: %s', async (path) => {
    const arrival = once(arrivals, path);
    const reading = readPage(origin + path, 'workspace');
    await arrival;
    expect(await elapse(3_000, reading)).toEqual({ problem: 'no complete response within 3 s' });
  });
});

describe('fetching a picture', () => {
  it('returns its bytes, with the type that they have', async () => {
    expect(await fetchPicture(`${origin}/picture`, 'workspace')).toEqual({
      contentType: 'image/jpeg',
      bytes: picture,
    });
    expect(await fetchPicture(`${origin}/png`, 'workspace')).toMatchObject({ contentType: 'image/png' });
  });

  it.each([
    ['/svg', 'it is not a JPEG, PNG or GIF'],
    ['/no-picture', 'it is not a JPEG, PNG or GIF'],
    ['/empty', 'it is not a JPEG, PNG or GIF'],
    ['/huge', 'it is larger than 5242880 bytes'],
    ['/missing', 'the server responded 404'],
    ['/to-metadata', 'it redirects to a URL that must begin with https://'],
  ])('says why %s is none', async (path, problem) => {
    expect(await fetchPicture(origin + path, 'workspace')).toEqual({ problem });
  });
});
