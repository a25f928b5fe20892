import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { pageName } from '../../infra/site.ts';
import { serveComposer } from './compose/support/serve.ts';
import { card, planned, start } from './support/calendar-page.ts';
import { type Panel, panelTest } from './support/panel.ts';
import { panelSite } from './support/site.ts';

/** The limit for a person who comes for the first time, from the address to a page with its content. */
const mostRequests = 25;

describe('the first load', () => {
  panelTest('of the calendar is small, until it shows posts', async ({ panel }) => {
    const asked = requestsOf(panel.page);
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    await card(panel.page, 'Post 1').waitFor();
    await expectFew(asked, panel, 230_000);
  });

  panelTest('of the composer is small, until a post can be written', async ({ panel }) => {
    const { page, api, open } = panel;
    const asked = requestsOf(page);
    serveComposer(api);
    await open('/compose');
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: /Nordlicht Threads/ }).waitFor();
    await expectFew(asked, panel, 292_000);
  });
});

/** The paths of all requests of a page from now on. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

/** The API's answers are not compressed, and as long as the workspace is large: of those only the number counts. */
async function expectFew(requests: readonly string[], { page }: Panel, mostBytes: number): Promise<void> {
  const { directory } = await panelSite();
  const opened = new URL(page.url()).pathname;
  const files = requests
    .filter((path) => !path.startsWith('/api/'))
    .map((path) => (path === opened ? pageName : path));
  const sizes = files.map((file) => [file, compressedSize(join(directory, file))] as const);
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(files.length, 'the number of files').toBeGreaterThan(5);
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(mostRequests);
  expect(bytes, sizes.map(([file, size]) => `${file} ${size}`).join('\n')).toBeLessThanOrEqual(mostBytes);
}

const compressedSize = (file: string): number => brotliCompressSync(readFileSync(file)).length;
