import type { BrowserContext } from 'playwright-core';
import { test } from 'vitest';
import { economical, openBrowser } from '../../bin/chromium.ts';
import { missingProgram } from './missing-programs.ts';

/** The reason for skipping a test that needs a browser. */
export const missingChromium = missingProgram(
  'no Chromium here: install one, or name one with CHROMIUM_PATH',
);

/**
 * A test with a `page` in a headless Chromium, which all such tests of a worker share. `newPage` opens one of somebody else, who has
 * cookies of their own. The test is skipped if there is no Chromium on this machine.
 */
export const browserTest = test
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which other fixtures this one needs
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser(economical());
    onCleanup(() => browser?.close());
    return browser;
  })
  .extend('newPage', async ({ browser, skip }, { onCleanup }) => {
    if (browser === undefined) return skip(missingChromium);
    const contexts: BrowserContext[] = [];
    onCleanup(async () => {
      for (const context of contexts) await context.close();
    });
    return async () => {
      const context = await browser.newContext();
      contexts.push(context);
      // Only a page that hangs reaches it.
      context.setDefaultTimeout(110_000);
      return context.newPage();
    };
  })
  .extend('page', ({ newPage }) => newPage());
