import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { finding, serveComposer, threads } from '../../../panel/compose/support/serve.ts';
import { instagram } from '../../../panel/support/accounts.ts';
import { focused } from '../../../panel/support/calendar-page.ts';
import { picked, serveMedia } from '../../../panel/support/media.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';

const choose = (page: Page, name: RegExp) => page.getByRole('checkbox', { name }).check({ force: true });
const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });

describe('the focus in the composer', () => {
  panelTest('goes to the field that a button reveals, and back to the button', async ({ panel }) => {
    const { page, open } = panel;
    serveComposer(panel.api);
    await open(`/compose?account=${threads.id}`);
    await text(page).fill('Fresh beans');
    await page.getByRole('button', { name: 'Add a first comment' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Book a table now');
    const comment = page.getByRole('textbox', { name: 'First comment' });
    expect(await comment.inputValue()).toBe('Book a table now');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await comment.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Add a first comment');
  });

  panelTest('is at the end of the text that somebody goes on writing', async ({ panel }) => {
    const { page, open } = panel;
    serveComposer(panel.api);
    await open('/compose');
    await choose(page, /Nordlicht Threads/);
    await choose(page, /Nordlicht GmbH/);
    await text(page).fill('Fresh beans');
    await page.getByRole('tab', { name: /Nordlicht GmbH/ }).click();
    await page.getByRole('button', { name: 'Write another text' }).click();
    await page.keyboard.type(' for you');
    expect(await text(page).inputValue()).toBe('Fresh beans for you');
  });

  panelTest('on nothing lets no key leave a text that is not sent', async ({ panel }) => {
    const { page, open } = panel;
    serveComposer(panel.api);
    await open(`/compose?account=${threads.id}`);
    const address = page.url();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await text(page).fill('To be continued');
    await page.getByText('Kept in this browser').waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    for (const key of ['n', 'g', 'c', '?']) await page.keyboard.press(key);
    // A key with Ctrl is meant.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    expect(await page.getByRole('dialog').all()).toHaveLength(1);
    expect(page.url()).toContain(new URL(address).pathname);
    expect(await text(page).inputValue()).toBe('To be continued');
  });
});

describe('what is beside the form of a post', () => {
  for (const problems of [0, 3])
    panelTest(
      `can be scrolled with the keyboard in a low window: ${problems} problems`,
      async ({ panel }) => {
        const { page, open } = panel;
        serveComposer(panel.api, {
          problems: () =>
            Array.from({ length: problems }, (_, place) =>
              finding('content', `This is problem ${place} of a text that is too long`, instagram),
            ),
        });
        await serveMedia(panel);
        await page.setViewportSize({ width: 1_280, height: 720 });
        await open(`/compose?account=${instagram.id}`);
        await text(page).fill('Look');
        await page.locator('input[type=file]').first().setInputFiles(picked('image.jpg'));
        await page.getByText(problems === 0 ? 'No problems found.' : `${problems} problems.`).waitFor();
        await page.getByRole('region', { name: 'Preview' }).locator('img').first().waitFor();
        expect(await violationsIn(page)).toEqual([]);
      },
    );
});
