import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Site } from '../../../infra/site.ts';
import { FakeApi } from './fake-api.ts';
import { serveSite } from './site.ts';

/**
 * A site at one origin in one browser context, for one test after the other, so that the browser keeps what it has loaded and
 * compiled. People there prefer reduced motion: nothing is to be waited for until it has moved.
 */
export interface Stage {
  readonly origin: string;
  /** Another origin, whose pages do nothing. */
  readonly elsewhere: string;
  readonly context: BrowserContext;
  /** Lets an API answer from now on. */
  play(api: FakeApi): void;
  /** Closes the pages, and makes the browser forget all but its cache. */
  clear(): Promise<void>;
  /** Ends the servers. The context ends with its browser. */
  close(): void;
}

const everythingStored = 'cookies,local_storage,indexeddb,cache_storage,service_workers,file_systems';

export async function openStage(browser: Browser, site: Site): Promise<Stage> {
  let api = new FakeApi();
  const server = createServer((request, response) => {
    const isForApi = request.url?.startsWith('/api/') === true;
    void (isForApi ? api.serve(request, response) : serveSite(site, request, response));
  });
  const another = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>Elsewhere</title><h1>Continue?</h1>');
  });
  const [origin, elsewhere] = await Promise.all([listen(server), listen(another)]);
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  // Keeps the process of the site's pages, with what it has compiled, while no test has a page.
  const keeper = await context.newPage();
  await keeper.goto(`${origin}/nothing.txt`);
  const devTools = await context.newCDPSession(keeper);
  return {
    origin,
    elsewhere,
    context,
    play: (next) => {
      api = next;
    },
    clear: async () => {
      const pages = context.pages().filter((page) => page !== keeper);
      await Promise.all(pages.map((page) => page.close()));
      await Promise.all([
        devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: everythingStored }),
        context.clearPermissions(),
        context.setOffline(false),
      ]);
      api = new FakeApi();
    },
    close: () => {
      for (const each of [server, another]) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}

/** @returns the origin */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
