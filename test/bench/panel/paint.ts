import type { Browser } from 'playwright-core';
import { servePanel } from '../../panel/support/serve-panel.ts';
import { panelSite } from '../../panel/support/site.ts';
import type { DataPage } from './pages.ts';
import { openWatched, type WatchedGlobal } from './watched-page.ts';

/**
 * Measures how long a page takes from the last byte of its data to the frame that shows it, in milliseconds. Each load has an empty
 * cache and scripts that were never run.
 */
export async function measurePaint(
  browser: Browser,
  { path, request, shows, api }: DataPage,
  runs: number,
): Promise<readonly number[]> {
  const { origin, close } = await servePanel(await panelSite(), api);
  try {
    const measured: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const context = await browser.newContext();
      try {
        const { page, shownMs } = await openWatched(context, origin + path, { shows });
        const lastByteMs = await page.evaluate(
          ([from, untilMs]) => (globalThis as WatchedGlobal).watchedPage.lastByte(from, untilMs),
          [request, shownMs] as const,
        );
        measured.push(shownMs - lastByteMs);
      } finally {
        await context.close();
      }
    }
    return measured;
  } finally {
    close();
  }
}
