import { describe, expect } from 'vitest';
import { card, dayOf, inBerlin, now, planned, shownAt, start } from '../../../panel/support/calendar-page.ts';
import { dateField, enterDate } from '../../../panel/support/date-fields.ts';
import { type Panel, panelTest } from '../../../panel/support/panel.ts';

/** The page of a panel again, on a device without a mouse. The context ends with the test. */
async function onTouch({ page }: Panel, run: (touched: Panel['page']) => Promise<void>): Promise<void> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
    viewport: { width: 1_180, height: 820 },
  });
  try {
    const touched = await context.newPage();
    await touched.clock.setFixedTime(new Date(now));
    await touched.goto(page.url());
    await run(touched);
  } finally {
    await context.close();
  }
}

describe('the calendar on a tablet', () => {
  panelTest('moves a post by taps: its menu, Move…, and another day', async ({ panel }) => {
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    await onTouch(panel, async (page) => {
      await dayOf(page, 'Thursday 19 November').waitFor();
      const menu = page.getByRole('button', { name: 'Actions for “Post 1”' });
      // Fingers do not hover: the menu is in sight, and large enough.
      expect(await menu.evaluate((button) => getComputedStyle(button.parentElement as Element).opacity)).toBe(
        '1',
      );
      const box = await menu.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
      await menu.tap();
      await page.getByRole('menuitem', { name: 'Move…' }).tap();
      const dialog = page.getByRole('dialog', { name: 'Move “Post 1”' });
      await enterDate(dateField(dialog), '2026-11-21');
      await dialog.getByRole('button', { name: 'Move', exact: true }).tap();
      await page.getByText('Moved to 21 Nov 2026, 10:00 CET.').waitFor();
      await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-21', '10:00']);
    });
    expect(panel.api.to('PATCH /v1/posts/{id}').map(({ body }) => body)).toEqual([
      { scheduledFor: inBerlin('2026-11-21', '10:00') },
    ]);
  });

  panelTest('opens a post with one tap, and a day too', async ({ panel }) => {
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    await onTouch(panel, async (page) => {
      await page.getByRole('button', { name: /^Thursday 19 November/ }).tap();
      await page.waitForURL('**view=day&day=2026-11-19');
      await card(page, 'Post 1').tap();
      await page.waitForURL(/\/posts\/0/);
    });
  });
});
