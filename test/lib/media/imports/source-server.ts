import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../../../fixtures', name));

export const image = fixture('image.jpg');
export const video = fixture('video.mp4');

type Answer = (response: ServerResponse, request: IncomingMessage, count: number) => unknown;

const send = (response: ServerResponse, body: Buffer, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-length': String(body.length), ...headers }).end(body);

/** The server's responses, by path. Each case is a way in which a real server behaves. */
const answers: Readonly<Record<string, Answer>> = {
  '/image.jpg': (response) => send(response, image),
  '/image': (response) => send(response, image, { 'content-type': 'text/plain' }),
  '/really-an-image.mp4': (response) => send(response, image),
  '/video.mp4': (response) => send(response, video),
  '/chunked.jpg': (response) => response.writeHead(200).end(image),
  '/page.jpg': (response) =>
    send(response, Buffer.from('<html></html>'), { 'content-type': 'text/html; charset=utf-8' }),
  '/empty.jpg': (response) => send(response, Buffer.alloc(0)),
  '/compressed.jpg': (response) => send(response, image, { 'content-encoding': 'gzip' }),
  '/missing.jpg': (response) => response.writeHead(404).end('no'),
  '/secret.jpg': (response) => response.writeHead(403).end('no'),
  '/busy.jpg': (response) => response.writeHead(503, { 'retry-after': '120' }).end(),
  '/once-busy.jpg': (response, _request, count) =>
    count === 1 ? response.writeHead(503).end() : send(response, image),
  '/limited.jpg': (response) => response.writeHead(429).end(),
  '/reset.jpg': (response) => {
    response.writeHead(200, { 'content-length': String(image.length) });
    response.write(image.subarray(0, 9_000), () => response.socket?.resetAndDestroy());
  },
  '/too-short.jpg': (response) => {
    response.writeHead(200, { 'content-length': String(image.length + 1) });
    response.write(image, () => response.socket?.end());
  },
  '/claims-a-gibibyte.jpg': (response) =>
    response
      .writeHead(200, { 'content-length': String(1024 ** 3) })
      .write(Buffer.concat([image, Buffer.alloc(70_000)])),
  '/claims-more.mp4': (response) =>
    response.writeHead(200, { 'content-length': String(1024 ** 3 + 1) }).write(video),
  '/endless.jpg': (response) => {
    response.writeHead(200);
    const more = () => {
      if (response.destroyed) return;
      if (response.write(Buffer.concat([image, Buffer.alloc(2 ** 20)]))) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  },
  '/stalls.jpg': (response) => {
    response.writeHead(200, { 'content-length': String(image.length) }).write(image.subarray(0, 9_000));
  },
  '/never-answers.jpg': () => undefined,
  '/moved.jpg': (response) => response.writeHead(302, { location: 'image.jpg#top' }).end('moved'),
  '/loop.jpg': (response) => response.writeHead(302, { location: '/loop.jpg' }).end(),
  '/to-metadata.jpg': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-private.jpg': (response) => response.writeHead(302, { location: 'https://10.0.0.1/a.jpg' }).end(),
  '/to-password.jpg': (response) =>
    response.writeHead(302, { location: 'https://user:password@files.example.com/a.jpg' }).end(),
  '/to-file.jpg': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/nowhere.jpg': (response) => response.writeHead(302).end(),
};

/** Starts a server of files on this machine. */
export async function startSource() {
  const counts = new Map<string, number>();
  const seen: IncomingMessage['headers'][] = [];
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://source').pathname;
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    seen.push(request.headers);
    arrivals.emit(path);
    response.on('error', () => undefined);
    (answers[path] ?? answers['/missing.jpg'])?.(response, request, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** @param path with a leading slash */
    urlOf: (path: string) => `http://127.0.0.1:${port}${path}`,
    counts,
    seen,
    /** Resolves at the next request. */
    asked: (path: string) => once(arrivals, path),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
