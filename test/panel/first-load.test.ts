import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { pageName } from '../../infra/site.ts';
import { serveComposer } from './compose/support/serve.ts';
import { instagram } from './support/accounts.ts';
import { gated, serveAutomations } from './support/automations.ts';
import { planned, start } from './support/calendar-page.ts';
import { panelTest } from './support/panel.ts';
import { panelSite } from './support/site.ts';

/** Limits for a person who comes for the first time, from the address to a page with its content. */
const mostRequests = 25;
const mostBytes = 220_000;

describe('the first load', () => {
  panelTest('of the calendar is small, until it shows posts', async ({ panel }) => {
    const shown = await watchFor(panel.page, '[data-entry]');
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    await expectSmall(await shown());
  });

  panelTest(
    'of the composer is small, until a post can be written',
    async ({ panel: { page, api, open } }) => {
      const shown = await watchFor(page, 'textarea');
      serveComposer(api);
      await open('/compose');
      await expectSmall(await shown());
    },
  );

  panelTest(
    'of a new automation is small, until it can be written',
    async ({ panel: { page, api, open } }) => {
      const shown = await watchFor(page, 'main form textarea');
      serveAutomations(api);
      await open(`/automations/new?account=${instagram.id}`);
      await expectSmall(await shown());
    },
  );

  panelTest(
    'of an automation that is changed is small, until its form is shown',
    async ({ panel: { page, api, open } }) => {
      const shown = await watchFor(page, 'main form textarea');
      serveAutomations(api);
      await open(`/automations/${gated.id}/edit`);
      await expectSmall(await shown());
    },
  );
});

/** Returns a function that waits for an element, and returns the paths of the requests that began before it was shown. */
async function watchFor(page: Page, selector: string): Promise<() => Promise<string[]>> {
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector(selector) === null) return;
      performance.mark('shown');
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, selector);
  return async () => {
    await page.locator(selector).first().waitFor();
    const addresses = await page.evaluate(() => {
      const [shown] = performance.getEntriesByName('shown');
      return performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < (shown?.startTime ?? Number.POSITIVE_INFINITY))
        .map(({ name }) => name);
    });
    return [`/${pageName}`, ...addresses.map((address) => new URL(address).pathname)];
  };
}

/** The API's answers are not compressed, and as long as the workspace is large: of those only the number counts. */
async function expectSmall(requests: readonly string[]): Promise<void> {
  const { directory } = await panelSite();
  const sizes = requests
    .filter((path) => !path.startsWith('/api/'))
    .map((path) => [path, compressedSize(join(directory, path))] as const);
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(sizes.length, 'the number of files').toBeGreaterThan(5);
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(mostRequests);
  expect(bytes, sizes.map(([file, size]) => `${file} ${size}`).join('\n')).toBeLessThanOrEqual(mostBytes);
}

const compressedSize = (file: string): number => brotliCompressSync(readFileSync(file)).length;
