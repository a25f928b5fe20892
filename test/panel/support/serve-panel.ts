import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Site } from '../../../infra/site.ts';
import type { FakeApi } from './fake-api.ts';
import { serveSite } from './site.ts';

export interface ServedPanel {
  /** Origin without a trailing slash. */
  readonly origin: string;
  close(): void;
}

/** Serves a site and its API at one origin, as CloudFront does. */
export async function servePanel(site: Site, api: FakeApi): Promise<ServedPanel> {
  const server = createServer((request, response) => {
    const isForApi = request.url?.startsWith('/api/') === true;
    void (isForApi ? api.serve(request, response) : serveSite(site, request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
