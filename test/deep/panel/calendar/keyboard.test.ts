import { describe, expect } from 'vitest';
import { instagram } from '../../../panel/support/accounts.ts';
import { card, focused, inBerlin, planned, shownAt, start } from '../../../panel/support/calendar-page.ts';
import { dateField, enterDate, enterTime } from '../../../panel/support/date-fields.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';
import { listedPostOf, targetOf } from '../../../panel/support/posts.ts';

describe('the calendar for the keyboard', () => {
  panelTest('is a grid for the keyboard alone', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00'), planned(2, '2026-11-19', '12:00')]);
    await card(page, 'Post 1').waitFor();
    await page.keyboard.press('t');
    await expect.poll(() => focused(page)).toBe('Wednesday 18 November, today, no posts');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('Thursday 19 November, 2 posts');
    await page.keyboard.press('End');
    expect(await focused(page)).toMatch(/^Sunday 22 November/);
    await page.keyboard.press('PageDown');
    await expect.poll(() => focused(page)).toMatch(/^Tuesday 22 December/);
    await page.getByRole('heading', { name: 'December 2026' }).waitFor();
    await page.keyboard.press('PageUp');
    await expect.poll(() => focused(page)).toMatch(/^Sunday 22 November/);
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter', 'ArrowDown'])
      await page.keyboard.press(key);
    expect(await focused(page)).toContain('Post 2');

    // Three steps in a row are one request, and the focus stays on the post.
    for (let step = 0; step < 3; step++) await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('Moved to 19 Nov 2026, 12:45 CET.').waitFor();
    expect(await focused(page)).toContain('Post 2');
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByText('Moved to 20 Nov 2026, 12:45 CET.').waitFor();
    expect(await shownAt(page, 'Post 2')).toEqual(['2026-11-20', '12:45']);
    await expect.poll(() => api.to('PATCH /v1/posts/{id}')).toHaveLength(2);

    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Move “Post 2”' });
    await enterTime(dateField(dialog, 'Time'), '08:05');
    await enterDate(dateField(dialog), '2026-11-17');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.getByText('This time is in the past. Choose a later one.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await enterDate(dateField(dialog), '2026-11-24');
    await page.keyboard.press('Enter');
    await expect.poll(() => shownAt(page, 'Post 2')).toEqual(['2026-11-24', '08:05']);
    await expect.poll(() => focused(page)).toContain('Post 2');

    // Picked up with Space, put down with Enter on another day.
    await page.keyboard.press('Space');
    await expect.poll(() => focused(page)).toMatch(/^Tuesday 24 November/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^Thursday 26 November/);
    await page.keyboard.press('Enter');
    await expect.poll(() => shownAt(page, 'Post 2')).toEqual(['2026-11-26', '08:05']);
    await expect.poll(() => focused(page)).toContain('Post 2');
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.waitForURL(/\/compose\?at=2026-11-26T09(:|%3A)00$/);
  });

  panelTest('picks up a draft without a time, and puts it down on a day', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [
      listedPostOf(2, {
        content: 'Idea',
        status: 'draft',
        platforms: [targetOf(instagram, { status: 'draft' })],
      }),
    ]);
    await page.getByRole('button', { name: 'Drafts without a time' }).click();
    await card(page, 'Idea').focus();
    await page.keyboard.press('Space');
    // The first day that can be reached, then the days after it.
    await expect.poll(() => focused(page)).toMatch(/^Monday 26 October/);
    for (let days = 0; days < 25; days++) await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^Friday 20 November/);
    await page.keyboard.press('Enter');
    await page.getByText('Moved to 20 Nov 2026, 09:00 CET.').waitFor();
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').at(-1)?.body)
      .toEqual({
        scheduledFor: inBerlin('2026-11-20', '09:00'),
        isDraft: true,
      });
    await expect.poll(() => focused(page)).toContain('Idea');
  });

  panelTest('keeps the focus near what a note was about once it is dismissed', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00'), planned(2, '2026-11-20', '10:00')]);
    api.on('PATCH /v1/posts/{id}', refusal(409, 'changed_concurrently', 'the post is being changed'));
    await card(page, 'Post 2').focus();
    await page.keyboard.press('Alt+ArrowDown');
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    await dismiss.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Post 2');

    api.on(
      'POST /v1/posts/{id}/duplicate',
      refusal(409, 'changed_concurrently', 'the post is being changed'),
    );
    await card(page, 'Post 1').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await dismiss.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Post 1');
  });

  panelTest('gives the focus to the filters once they are cleared', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')], '/calendar?status=failed');
    await page.getByText('No post matches the filters.').waitFor();
    const clear = page.getByRole('main').getByRole('button', { name: 'Clear', exact: true });
    for (const place of [0, 1]) {
      await clear.nth(place).focus();
      await page.keyboard.press('Enter');
      await page.getByText('1 post', { exact: true }).waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('search')?.ariaLabel))
        .toBe('Filters');
      await panel.open('/calendar?status=failed');
      await page.getByText('No post matches the filters.').waitFor();
    }
    // On small screens, the button that shows them.
    await page.setViewportSize({ width: 360, height: 780 });
    await clear.last().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Filters');
  });
});
