import { describe, expect } from 'vitest';
import { serveLibrary } from '../support/library.ts';
import { walk } from '../support/walk.ts';

describe('the media page', () => {
  walk('/media', 'shows files, finds them by name, and deletes those that no post needs', async (panel) => {
    const { page, open, inspect } = panel;
    const service = await serveLibrary(panel);
    await open('/media');
    await page.getByText('7 files').waitFor();
    await page.getByText('9.32 GiB free').waitFor();
    await inspect();

    await page.getByRole('searchbox', { name: 'Search by file name' }).fill('img');
    await page.getByText('1 file', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'IMG_2041.jpg' }).click();
    const details = page.getByRole('dialog', { name: 'IMG_2041.jpg' });
    await details.getByText('No post uses it.').waitFor();
    await details.getByText('1080 × 1350').waitFor();
    await inspect();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search by file name' }).fill('');
    await page.getByText('7 files').waitFor();

    for (const name of ['Autumn menu.jpg', 'team.jpg'])
      await page.getByRole('row', { name }).getByRole('checkbox').click({ force: true });
    await page
      .getByRole('region', { name: '2 files selected' })
      .getByRole('button', { name: 'Delete…' })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    const kept = page.getByRole('dialog', { name: '1 file not deleted' });
    await kept.getByRole('link', { name: 'Meet the team' }).waitFor();
    await inspect();
    await kept.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('6 files').waitFor();
    expect(service.files.map(({ filename }) => filename)).not.toContain('Autumn menu.jpg');
  });
});
