import type { RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Site } from '../../../infra/site.ts';
import { runAxe } from '../../support/axe.ts';
import { browserTest, missingChromium } from '../../support/browser.ts';
import { FakeApi, ok } from './fake-api.ts';
import { meOf } from './me.ts';
import { openStage } from './stage.ts';

export { berlin, meOf, newYork } from './me.ts';

import { panelSite, panelWithLongWords, testSite } from './site.ts';

/** The panel in a browser, with an API that does what the test says. */
export interface Panel {
  readonly page: Page;
  readonly api: FakeApi;
  /** The browser's complaints: errors of scripts, and requests that the site's policy has blocked. */
  readonly complaints: readonly string[];
  /** An origin where the panel may send the browser. Its pages do nothing. */
  readonly elsewhere: string;
  /** Lets the page's `Date` stand still. Playwright's own clock would do so for the tests that follow, too. @param time ISO 8601 */
  setTime(time: string): Promise<void>;
  open(path: string): Promise<void>;
}

/**
 * A test with the panel as `panel`: the deployed site under its real policy, and a {@link FakeApi} in which an owner is signed in. It
 * fails if the browser has complained.
 */
export const panelTest = testOf(panelSite);

/** The same with words as long as in German. */
export const longWordsTest = testOf(panelWithLongWords);

/** The same with the site `components` of `test/panel/sites`. */
export const componentsTest = testOf(() => testSite('components'));

/** The same with the site `media`. */
export const mediaTest = testOf(() => testSite('media'));

function testOf(siteOf: () => Promise<Site>) {
  return browserTest
    .extend('stage', { scope: 'worker' }, async ({ browser }, { onCleanup }) => {
      if (browser === undefined) return undefined;
      const stage = await openStage(browser, await siteOf());
      onCleanup(() => stage.close());
      return stage;
    })
    .extend('page', async ({ stage, skip }, { onCleanup }) => {
      if (stage === undefined) return skip(missingChromium);
      onCleanup(() => stage.clear());
      return stage.openPage();
    })
    .extend('panel', async ({ page, stage }, { onCleanup }) => {
      const api = new FakeApi().on('GET /panel/me', () => ok(meOf()));
      const complaints: string[] = [];
      listenTo(page, complaints);
      stage?.play(api);
      onCleanup(() => expect(complaints).toEqual([]));
      const panel: Panel = {
        page,
        api,
        complaints,
        elsewhere: stage?.elsewhere ?? '',
        setTime: async (time) => stage?.setTime(page, new Date(time)),
        open: async (path) => void (await page.goto(stage?.origin + path)),
      };
      return panel;
    });
}

function listenTo(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    // The browser itself reports responses that are errors. Tests cause those on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
}

/** The rules of axe-core that depend on colours, the only thing in which the themes differ. */
const colourRules = ['color-contrast', 'link-in-text-block'];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Returns the violations that axe-core finds in the page: by all rules in the light theme, and by those about colours in the
 * dark one too. Each names the rule and the element.
 *
 * @param ignored rules that do not fit here
 */
export async function violationsIn(page: Page, ignored: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours pass from one theme to the other.
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    const runOnly: RunOnly =
      colorScheme === 'light' ? { type: 'tag', values: tags } : { type: 'rule', values: colourRules };
    for (const violation of await runAxe(page, runOnly, ignored)) found.push(`${colorScheme} ${violation}`);
  }
  return found;
}

/** Returns true if something in the page makes it scroll sideways. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
