import { describe, expect } from 'vitest';
import { serveAccounts } from '../support/accounts.ts';
import { ok, refusal, requestId } from '../support/fake-api.ts';
import { meOf, panelTest, scrollsSideways } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

describe('the frame around every page', () => {
  panelTest('is walked through by keyboard alone', async ({ panel: { page, open } }) => {
    await open('/accounts');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search commands' }).waitFor();
    await page.keyboard.type('devel');
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { level: 1, name: 'Developers' });
    await heading.waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Developers');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  panelTest('has a bar and a menu on a small screen', async ({ panel: { page, open } }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await open('/accounts');
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'New post' }).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await navigation.getByRole('button', { name: 'More' }).click();
    await navigation.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
  });

  panelTest('tells apart workspaces of the same name', async ({ panel: { page, api, open } }) => {
    const [one, other] = meOf().workspaces;
    if (!one || !other) throw new Error('two workspaces were expected');
    api.on('GET /panel/me', ok(meOf({ workspaces: [one, { ...other, role: one.role, name: one.name }] })));
    await open('/accounts');
    await page.getByRole('button', { name: /^Workspace: Nordlicht Owner · 00000001$/ }).click();
    const items = page.getByRole('menuitemradio');
    await items.filter({ hasText: 'Owner · 00000001' }).waitFor();
    await items.filter({ hasText: 'Owner · 00000002' }).waitFor();
  });

  panelTest('shows another workspace, which the tab keeps', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api);
    await open('/accounts');
    await page.getByRole('button', { name: /^Workspace: Nordlicht/ }).click();
    await page.getByRole('menuitemradio', { name: /Harbour/ }).click();
    await page.getByRole('button', { name: /^Workspace: Harbour/ }).waitFor();
    await expect.poll(() => page.title()).toBe('Accounts · Harbour · Herald');
    await page.reload();
    await page.getByRole('button', { name: /^Workspace: Harbour/ }).waitFor();
  });

  panelTest('says what failed, and loads when asked again', async ({ panel }) => {
    const { page, api, open } = panel;
    api.on('GET /panel/me', refusal(500, 'internal', 'internal error'));
    await open('/accounts');
    await page.getByRole('heading', { name: 'This did not load' }).waitFor();
    expect(await page.getByRole('alert').innerText()).toContain(requestId);
    api.on('GET /panel/me', ok(meOf()));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
  });

  walk('/$', 'says that an address is no page', async ({ page, open, inspect }) => {
    await open('/nowhere/at/all');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    await inspect();
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});
