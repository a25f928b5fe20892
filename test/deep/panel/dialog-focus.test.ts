import { describe, expect } from 'vitest';
import { card, focused, planned, start } from '../../panel/support/calendar-page.ts';
import { componentsTest, panelTest } from '../../panel/support/panel.ts';

describe('the focus, after a dialog', () => {
  componentsTest('is on the button that has opened it', async ({ panel: { page, open } }) => {
    await open('/');
    await page.getByRole('button', { name: 'New key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('New key');
  });

  panelTest('is on the button of the menu that has opened it, however it is closed', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    const dialog = page.getByRole('dialog', { name: 'Move “Post 1”' });
    const ways = [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ];
    for (const close of ways) {
      await card(page, 'Post 1').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Move…' }).press('Enter');
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe('Actions for “Post 1”');
    }
  });

  panelTest('is where it was in the page, if a key has opened it', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    for (const key of ['?', 'm']) {
      await card(page, 'Post 1').focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toContain('Post 1');
    }
  });

  panelTest('is where it was in the page, if a command has opened it', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    await card(page, 'Post 1').focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search commands' }).fill('keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('Post 1');
  });
});
