import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Site } from '../../../infra/site.ts';
import { browserTest } from '../../support/browser.ts';
import { FakeApi, ok } from './fake-api.ts';
import { meOf } from './me.ts';

export { berlin, meOf, newYork } from './me.ts';

import { servePanel } from './serve-panel.ts';
import { panelSite, testSite } from './site.ts';

/** The panel in a browser, with an API that does what the test says. */
export interface Panel {
  readonly page: Page;
  readonly api: FakeApi;
  /** What the browser complained about: errors of scripts, and what the site's policy has blocked. */
  readonly complaints: readonly string[];
  open(path: string): Promise<void>;
}

/**
 * A test with the panel as `panel`: the deployed site under its real policy, and a {@link FakeApi} in which an owner is signed in. It
 * fails if the browser has complained.
 */
export const panelTest = testOf(panelSite);

/** The same with the site `components` of `test/panel/sites`. */
export const componentsTest = testOf(() => testSite('components'));

function testOf(siteOf: () => Promise<Site>) {
  return browserTest.extend('panel', async ({ page }, { onCleanup }) => {
    const site = await siteOf();
    const api = new FakeApi().on('GET /panel/me', () => ok(meOf()));
    const { origin, close } = await servePanel(site, api);
    const complaints: string[] = [];
    listenTo(page, complaints);
    onCleanup(() => {
      close();
      expect(complaints).toEqual([]);
    });
    const panel: Panel = {
      page,
      api,
      complaints,
      open: async (path) => void (await page.goto(origin + path)),
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
 * What axe-core finds wrong in the page: by all rules in the light theme, and by those about colours in the dark one too. Rule and
 * element.
 *
 * @param ignored rules that do not fit here
 */
export async function violationsIn(page: Page, ignored: readonly string[] = []): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours pass from one theme to the other.
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    const axe = new AxeBuilder({ page }).disableRules([...ignored]);
    const { violations } = await (colorScheme === 'light'
      ? axe.withTags(tags)
      : axe.withRules(colourRules)
    ).analyze();
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        found.push(`${colorScheme} ${id}: ${html} ${failureSummary ?? ''}`);
  }
  return found;
}

/** Whether something in the page makes it scroll sideways. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
