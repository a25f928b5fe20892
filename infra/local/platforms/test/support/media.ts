import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

const { resolve } = createRequire(import.meta.url);

/** Reads an image or a video of `@herald/fixtures`. */
export async function readMedia(name: string): Promise<Buffer> {
  return await readFile(resolve(`@herald/fixtures/${name}`));
}

const contentTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  heic: 'image/heic',
  jpg: 'image/jpeg',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  png: 'image/png',
  webm: 'video/webm',
  webp: 'image/webp',
};

export function contentTypeOf(name: string): string {
  return contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}

/** Serves the files of `@herald/fixtures` by name. */
export interface MediaServer {
  url(name: string): string;
  close(): void;
}

export async function serveMedia(): Promise<MediaServer> {
  const server = createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? '';
    const body = await readMedia(name).catch(() => undefined);
    if (body === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': contentTypeOf(name) }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
