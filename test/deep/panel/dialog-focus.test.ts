import { describe, expect } from 'vitest';
import { serveComposer } from '../../panel/compose/support/serve.ts';
import { max } from '../../panel/settings/support/data.ts';
import { card, focused, planned, start } from '../../panel/support/calendar-page.ts';
import { ok, refusal } from '../../panel/support/fake-api.ts';
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

describe('the button of a dialog', () => {
  panelTest('stays under the pointer that presses it while an error goes', async ({ panel }) => {
    const { page, api, open } = panel;
    const invite = 'POST /panel/members';
    api.on('GET /panel/members', ok({ members: [max] }));
    api.on(invite, refusal(503, 'unavailable', 'try again in a minute'));
    await open('/settings/members');
    await page.getByRole('button', { name: 'Invite member' }).first().click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Invite', exact: true });
    await send.click();
    const field = dialog.getByRole('textbox', { name: 'Email address' });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('ada@herald.example');
    // By hand: Playwright presses in the middle of where the button is by then.
    const { x, y, height } = (await send.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    await page.mouse.move(x + 10, y + height - 2);
    await page.mouse.down();
    await page.waitForTimeout(200);
    await page.mouse.up();
    await expect
      .poll(() => api.to(invite).map(({ body }) => body))
      .toEqual([{ email: 'ada@herald.example', role: 'member' }]);
    // Its room goes with the press.
    await expect.poll(() => dialog.locator('[aria-hidden] > span').count()).toBe(0);
  });
});

describe('dialogs whose code arrives at once', () => {
  panelTest('can be used one after the other, the last one first', async ({ panel }) => {
    const { page, api, open } = panel;
    serveComposer(api);
    await open('/compose');
    const [library, address] = [
      page.getByRole('dialog', { name: 'Choose from media' }),
      page.getByRole('dialog', { name: 'Add a file from an address' }),
    ];
    await page.getByRole('button', { name: 'Import from URL' }).waitFor();
    // As on a slow connection, where a person presses another button because nothing happens.
    await page.getByRole('button').evaluateAll((buttons) => {
      for (const button of buttons)
        if (/Choose from media|Import from URL/.test(button.textContent ?? ''))
          (button as HTMLElement).click();
    });
    await address.waitFor();
    await page.keyboard.press('Escape');
    await address.waitFor({ state: 'detached' });
    await library.getByRole('button', { name: 'Cancel' }).click();
    await library.waitFor({ state: 'detached' });
  });
});
