import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
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
  /** A new page of the context. */
  openPage(): Promise<Page>;
  /** Lets the date of a page stand still. */
  setTime(page: Page, time: Date): Promise<void>;
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
  const { context, keeper, devTools } = await openPlace(browser, origin);
  return {
    origin,
    elsewhere,
    openPage: () => context.newPage(),
    setTime: async (page, time) => {
      // Playwright's clock would be that of the context for ever.
      await page.addInitScript(stopDate, time.getTime());
      await page.evaluate(stopDate, time.getTime());
    },
    play: (next) => {
      api = next;
    },
    clear: async () => {
      api = new FakeApi();
      const pages = context.pages().filter((page) => page !== keeper);
      await Promise.all(pages.map((page) => page.close()));
      await Promise.all([
        devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: everythingStored }),
        context.clearPermissions(),
        context.setOffline(false),
      ]);
    },
    close: () => {
      for (const each of [server, another]) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}

/** Lets `Date` stand still in the window where it runs. Timers run on. */
function stopDate(time: number): void {
  const { Date: Real } = globalThis;
  class Stopped extends Real {
    constructor(...given: [] | [string | number | Date]) {
      super(...((given.length === 0 ? [time] : given) as [number]));
    }
    static override now(): number {
      return time;
    }
  }
  globalThis.Date = Stopped as DateConstructor;
}

/** The time after which an action or a wait fails, in milliseconds. Only one that hangs reaches it, however busy the machine is. */
const hangsAfterMs = 90_000;

interface Place {
  readonly context: BrowserContext;
  /** Keeps the process of the site's pages, with what it has compiled, while no test has a page. */
  readonly keeper: Page;
  readonly devTools: CDPSession;
}

async function openPlace(browser: Browser, origin: string): Promise<Place> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(hangsAfterMs);
  const keeper = await context.newPage();
  await keeper.goto(`${origin}/nothing.txt`);
  return { context, keeper, devTools: await context.newCDPSession(keeper) };
}

/** @returns the origin */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
