import { describe, expect } from 'vitest';
import { drag } from '../../support/drag.ts';
import { card, dayOf, focused, planned, shownAt, start } from '../support/calendar-page.ts';
import { dateField, enterDate } from '../support/date-fields.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

const moves = 'PATCH /v1/posts/{id}';

describe('the calendar', () => {
  walk('/calendar', 'moves a post to the day where somebody drops it', async (panel) => {
    const { page, api, inspect } = panel;
    await start(panel, [planned(1, '2026-11-19', '23:59'), planned(2, '2026-11-20', '10:00')]);
    await card(page, 'Post 1').waitFor();
    await expect.poll(() => page.title()).toBe('Calendar · Nordlicht · Herald');
    await inspect();
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-21', '23:59']);
    await expect
      .poll(() => api.to(moves).map(({ body }) => body))
      .toEqual([{ scheduledFor: '2026-11-21T22:59:00.000Z' }]);
    expect(await shownAt(page, 'Post 2')).toEqual(['2026-11-20', '10:00']);
  });

  panelTest('moves a post to a time from the keyboard alone', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00'), planned(2, '2026-11-19', '12:00')]);
    await card(page, 'Post 2').waitFor();
    await page.keyboard.press('t');
    await expect.poll(() => focused(page)).toBe('Wednesday 18 November, today, no posts');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe('Thursday 19 November, 2 posts');
    for (const key of ['Enter', 'ArrowDown']) await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toContain('Post 2');
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Move “Post 2”' });
    await enterDate(dateField(dialog), '2026-11-17');
    await page.keyboard.press('Enter');
    await dialog.getByText('This time is in the past. Choose a later one.').waitFor();
    await enterDate(dateField(dialog), '2026-11-24');
    await page.keyboard.press('Enter');
    await expect.poll(() => shownAt(page, 'Post 2')).toEqual(['2026-11-24', '12:00']);
    await expect.poll(() => focused(page)).toContain('Post 2');
    await expect
      .poll(() => api.to(moves).map(({ body }) => body))
      .toEqual([{ scheduledFor: '2026-11-24T11:00:00.000Z' }]);
  });

  panelTest('shows a week, a day, and the coming days as a list', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [planned(1, '2026-11-18', '12:00'), planned(2, '2026-12-02', '10:00')]);
    await card(page, 'Post 1').waitFor();
    for (const [view, posts] of [
      ['Week', 1],
      ['Day', 1],
      ['Agenda', 2],
    ] as const) {
      await page.getByRole('radio', { name: view }).click();
      await page.waitForURL(`**/calendar?view=${view.toLowerCase()}**`);
      await expect.poll(() => page.locator('[data-entry]').count(), { message: view }).toBe(posts);
    }
    await page.getByRole('heading', { name: 'Wednesday 2 December' }).waitFor();
  });
});
