import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { FakeDevelopers } from './developers-data.ts';
import { type Panel, panelTest } from './panel.ts';

interface Developers extends Panel {
  /** The contents of the API. */
  readonly has: FakeDevelopers;
}

/** A test of the developers' page, as `on`. */
export const developersTest = panelTest.extend('on', async ({ panel }): Promise<Developers> => {
  const has = new FakeDevelopers(panel.api);
  return { ...panel, has };
});

/** The name of the focused element, in the way of the accessibility tree, about. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '');

/** Fails if a text is anywhere where it would outlive the dialog that shows it. */
export async function expectForgotten(page: Page, secret: string): Promise<void> {
  const places = await page.evaluate(() => ({
    document: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input')].map(({ value }) => value),
    address: location.href,
    history: JSON.stringify(history.state),
    storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  }));
  expect(JSON.stringify(places)).not.toContain(secret);
}
