import type { CDPSession, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { serveComposer } from '../../../panel/compose/support/serve.ts';
import { many } from '../../../panel/support/accounts.ts';
import { panelTest } from '../../../panel/support/panel.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const fifty = many
  .slice(0, 50)
  .map(({ id, platform }) => ({ accountId: id, platform, options: {} }) as const);

/** Measures in processor time, since other programs make tasks longer. */
async function meter(page: Page): Promise<CDPSession> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return devTools;
}

/** Returns the page's working time so far, in milliseconds. */
async function workedMs(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

describe('a post for fifty accounts', () => {
  panelTest('takes less than 30 ms of the processor for a letter, on average', async ({ panel }) => {
    const { page, api, open } = panel;
    serveComposer(api, { accounts: many.slice(0, 50) });
    await page.setViewportSize({ width: 1_280, height: 900 });
    await open('/compose');
    await text(page).fill('Fresh');
    await page.getByText('Kept in this browser').waitFor();
    await page.evaluate((destinations) => {
      const name = Object.keys(localStorage).find((each) => each.startsWith('compose/')) ?? '';
      const kept = JSON.parse(localStorage.getItem(name) ?? '{}');
      kept.draft.destinations = JSON.parse(destinations);
      localStorage.setItem(name, JSON.stringify(kept));
    }, JSON.stringify(fifty));
    await page.reload();
    await expect.poll(() => page.getByRole('tab').count()).toBe(51);
    await page.getByText('46 more accounts').waitFor();
    await page.getByText('No problems found.').waitFor();
    const devTools = await meter(page);
    await text(page).press('End');
    await page.waitForTimeout(500);
    const before = await workedMs(devTools);
    const typed = ' beans from Ethiopia, roasted this morning';
    await page.keyboard.type(typed, { delay: 60 });
    expect(((await workedMs(devTools)) - before) / typed.length).toBeLessThan(30);
  });
});
