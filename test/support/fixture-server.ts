import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MediaSource } from '../../lib/platforms/contract/adapter.ts';

const directory = join(import.meta.dirname, '../fixtures');

const contentTypes = { mp4: 'video/mp4', jpg: 'image/jpeg', png: 'image/png' } as const;

/** Serves the media fixtures as the media host does. */
export interface FixtureServer {
  source(name: string): Promise<MediaSource>;
  close(): void;
}

export async function serveFixtures(): Promise<FixtureServer> {
  const server = createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? '';
    const body = await readFile(join(directory, name)).catch(() => undefined);
    response.writeHead(body ? 200 : 404, body ? { 'content-type': contentTypeOf(name) } : {}).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async source(name) {
      const path = join(directory, name);
      const contentType = contentTypeOf(name);
      return {
        type: contentType.startsWith('video/') ? 'video' : 'image',
        url: `http://127.0.0.1:${port}/${name}`,
        contentType,
        sizeBytes: (await stat(path)).size,
        openRange: async (start, end) => createReadStream(path, { start, end }),
      };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function contentTypeOf(name: string): string {
  const extension = name.split('.').at(-1);
  return extension === 'mp4' || extension === 'jpg' || extension === 'png'
    ? contentTypes[extension]
    : 'application/octet-stream';
}
