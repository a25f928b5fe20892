import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

/** The notes of `watch-page.js` in a page. Times are milliseconds since the navigation began. */
export interface Watched {
  readonly watchedPage: {
    readonly shown: Promise<number>;
    readonly answered: Promise<number>;
    quiet(forMs: number): Promise<number>;
    lastByte(path: string, untilMs: number): number;
  };
}

/** The global object of a page with `watchedPage`. Use it in functions for `page.evaluate`. */
export type WatchedGlobal = typeof globalThis & Watched;

const slownessAsMeasured = 1;

/**
 * Opens an address in a page of its own, and returns as soon as the page has shown something.
 *
 * @param options.shows a CSS selector
 * @param options.slowness how many times slower the page's processor is; default 1
 */
export async function openWatched(
  context: BrowserContext,
  url: string,
  { shows, slowness = slownessAsMeasured }: { readonly shows: string; readonly slowness?: number },
): Promise<{ readonly page: Page; readonly shownMs: number }> {
  const page = await context.newPage();
  const script = await readFile(join(import.meta.dirname, 'watch-page.js'), 'utf8');
  await page.addInitScript({ content: `${script}\nwatchPage(${JSON.stringify(shows)});` });
  if (slowness !== slownessAsMeasured) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  }
  await page.goto(url, { waitUntil: 'commit' });
  const shownMs = await page.evaluate(() => (globalThis as WatchedGlobal).watchedPage.shown);
  return { page, shownMs };
}
