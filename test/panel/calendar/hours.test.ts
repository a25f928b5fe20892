import { describe, expect } from 'vitest';
import { card, inBerlin, planned, pointAt, shownAt, start } from '../support/calendar-page.ts';
import { panelTest, violationsIn } from '../support/panel.ts';

const moves = 'PATCH /v1/posts/{id}';
const week = '/calendar?view=week&day=2026-11-18';

describe('a week with hours', () => {
  panelTest('moves a post to the quarter of an hour where somebody drops it, and back', async ({ panel }) => {
    const { page, api } = panel;
    await start(
      panel,
      [planned(1, '2026-11-19', '12:07'), planned(2, '2026-11-18', '10:00', { status: 'published' })],
      week,
    );
    await card(page, 'Post 1').waitFor();
    expect(await page.getByText('09:00', { exact: true }).count()).toBe(1);
    const to = await pointAt(page, '2026-11-20', '13:30');
    const from = await card(page, 'Post 1').boundingBox();
    if (!from) throw new Error('not in sight');
    await page.mouse.move(from.x + 20, from.y + 4);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y + 10, { steps: 4 });
    await page.mouse.move(to.x, to.y + 4, { steps: 12 });
    await page.mouse.up();
    await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-20', '13:30']);
    await expect
      .poll(() => api.to(moves).map(({ body }) => body))
      .toEqual([{ scheduledFor: inBerlin('2026-11-20', '13:30') }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-19', '12:07']);
    const published = page.locator('li').filter({ has: card(page, 'Post 2') });
    expect(await published.getAttribute('draggable')).not.toBe('true');
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('begins a post where somebody draws, and none in the past', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [], week);
    await page.getByRole('grid').waitFor();
    const past = await pointAt(page, '2026-11-17', '09:00');
    await page.mouse.click(past.x, past.y);
    await page.getByText('17 Nov 2026, 09:00 CET is in the past.').waitFor();
    const from = await pointAt(page, '2026-11-19', '14:15');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/\/compose\?at=2026-11-19T14(:|%3A)15$/);
  });
});

describe('a month', () => {
  panelTest('fits the window', async ({ panel }) => {
    const { page } = panel;
    await start(
      panel,
      Array.from({ length: 12 }, (_, number) =>
        planned(number, '2026-11-19', `1${number % 10}:0${number % 6}`),
      ),
    );
    await card(page, 'Post 1').first().waitFor();
    for (const height of [720, 900, 1_080]) {
      await page.setViewportSize({ width: 1_440, height });
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
      await expect.poll(overflow, { message: `${height}` }).toBeLessThanOrEqual(0);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    }
  });
});
