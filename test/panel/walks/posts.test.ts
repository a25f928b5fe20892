import { describe, expect } from 'vitest';
import { inBerlin } from '../support/calendar-page.ts';
import { button, row, rows, select, startPosts } from '../support/posts-page.ts';
import { walk } from '../support/walk.ts';

describe('the posts', () => {
  walk('/posts', 'are found, filtered, selected and moved, and moved back', async (panel) => {
    const { page, inspect } = panel;
    const fake = await startPosts(panel);
    await row(page, 'winter roast').getByText('Scheduled').waitFor();
    await row(page, 'winter roast').getByText('20 Nov 2026, 09:00').waitFor();
    await row(page, 'oat milk').getByText('and other times').waitFor();
    await row(page, 'Open on Sunday').getByText('Unconfirmed').waitFor();
    await inspect();
    await page.keyboard.press('/');
    await page.keyboard.type('harb');
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await rows(page).locator('mark').allInnerTexts()).toEqual(['harb', 'harb']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('harb');
    await page.keyboard.press('Escape');
    await expect.poll(() => rows(page).count()).toBe(6);

    await select(page, 'winter roast', 'oat milk', 'Autumn menu');
    await page.getByText('3 selected').waitFor();
    await button(page, 'Move…').click();
    const dialog = page.getByRole('dialog', { name: 'Move 3 posts' });
    await dialog.getByText('1 published: cannot be moved').waitFor();
    await dialog.getByRole('textbox', { name: 'Days' }).fill('7');
    await inspect();
    await dialog.getByRole('button', { name: 'Move 2 posts' }).click();
    await page.getByText('Moved 2 posts.').waitFor();
    // Neither the dialog that closed nor the buttons that went leave the keyboard nowhere.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await row(page, 'winter roast').getByText('27 Nov 2026, 09:00').waitFor();
    const milk = () => fake.posts.find(({ content }) => content.includes('oat milk'));
    expect(milk()?.scheduledFor).toBe(inBerlin('2026-11-28', '18:30'));
    expect(milk()?.platforms[1]?.scheduledFor).toBe('2026-11-29T08:00:00.000Z');
    await button(page, 'Undo').click();
    await page.getByText('Moved 2 posts back.').waitFor();
    await row(page, 'winter roast').getByText('20 Nov 2026, 09:00').waitFor();
    expect(milk()?.platforms[1]?.scheduledFor).toBe('2026-11-22T08:00:00.000Z');
  });
});
