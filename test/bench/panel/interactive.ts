import type { Browser, BrowserContext } from 'playwright-core';
import type { TestCloud } from '../../support/local-cloud.ts';
import { openWatched, type WatchedGlobal } from './watched-page.ts';

/** The time at which a page became usable, in milliseconds since the navigation began. */
export interface Interactive {
  /** The frame with the page's content, read from the service, was painted. */
  readonly shownMs: number;
  /** The last task of more than 50 ms ended, before a time without any. */
  readonly busyUntilMs: number;
  /** A key, pressed as soon as the content was there, was answered by a frame. */
  readonly answeredMs: number;
  /** The latest of these. */
  readonly interactiveMs: number;
}

export interface InteractiveOptions {
  readonly runs: number;
  /** Duration in which no task may take more than 50 ms. */
  readonly quietMs: number;
}

export interface InteractivePage {
  readonly name: string;
  readonly runs: readonly Interactive[];
}

/** The number of times by which the processor of a measured page is slower. */
export const slowness = 4;

/** A page with one button and nothing else, to compare others with. */
export const emptyPage = 'data:text/html,<main><button>Press</button></main>';

/** Loads pages with an empty cache and a processor that is four times slower. The service has answered before. */
export async function measureInteractive(
  browser: Browser,
  { panelUrl }: Pick<TestCloud, 'panelUrl'>,
  options: InteractiveOptions,
): Promise<readonly InteractivePage[]> {
  const nobody = async () => browser.newContext();
  const first = await nobody();
  const storageState = await signIn(first, panelUrl);
  await first.close();
  const owner = () => browser.newContext({ storageState });
  return [
    { name: 'an empty page', runs: await repeat(nobody, emptyPage, 'button', options) },
    {
      name: 'greeting, signed out',
      runs: await repeat(nobody, `${panelUrl}/`, 'main a[href^="/api/panel/sign-in"]', options),
    },
    {
      name: 'accounts, signed in',
      runs: await repeat(owner, `${panelUrl}/accounts`, '[role=rowheader] a', options),
    },
    {
      name: 'calendar, signed in',
      runs: await repeat(owner, `${panelUrl}/calendar`, '[role=gridcell]', options),
    },
    {
      name: 'composer, signed in',
      runs: await repeat(owner, `${panelUrl}/compose`, 'textarea', options),
    },
  ];
}

async function signIn(context: BrowserContext, panelUrl: string) {
  const page = await context.newPage();
  await page.goto(panelUrl);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue as Owner' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();
  return context.storageState();
}

async function repeat(
  newContext: () => Promise<BrowserContext>,
  url: string,
  shows: string,
  { runs, quietMs }: InteractiveOptions,
): Promise<Interactive[]> {
  const measured: Interactive[] = [];
  for (let run = 0; run < runs; run += 1) {
    const context = await newContext();
    try {
      const { page, shownMs } = await openWatched(context, url, { shows, slowness });
      await page.keyboard.press('Tab');
      const { busyUntilMs, answeredMs } = await page.evaluate(async (forMs) => {
        const { quiet, answered } = (globalThis as WatchedGlobal).watchedPage;
        return { busyUntilMs: await quiet(forMs), answeredMs: await answered };
      }, quietMs);
      measured.push({
        shownMs,
        busyUntilMs,
        answeredMs,
        interactiveMs: Math.max(shownMs, busyUntilMs, answeredMs),
      });
    } finally {
      await context.close();
    }
  }
  return measured;
}
