import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  hostile,
  inDays,
  instagram,
  linkedin,
  many,
  postFor,
  serveAccounts,
  tiktok,
} from '../../panel/support/accounts.ts';
import { refusal, requestId } from '../../panel/support/fake-api.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../panel/support/panel.ts';

const names = (page: Page) =>
  page.getByRole('table').getByRole('rowheader').getByRole('link').allTextContents();
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
/** The text of a row, with single spaces. */
const textOf = async (page: Page, name: string) => (await row(page, name).innerText()).replace(/\s+/g, ' ');

describe('the list of accounts', () => {
  panelTest('says of each account whether it works, why not, and what is planned', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api, { posts: [postFor(1, instagram, inDays(2)), postFor(2, instagram, inDays(1))] });
    await open('/accounts');
    await row(page, 'Nordlicht TikTok').getByText('Nothing planned').waitFor();
    const expired = await textOf(page, 'Nordlicht TikTok');
    expect(expired).toContain('TikTok · @nordlicht');
    expect(expired).toContain('Expired');
    expect(expired).toContain(
      'The refresh token is invalid (invalid_grant), while refreshing the access token',
    );
    // 23:15 in UTC is the next day in Berlin.
    expect(expired).toContain('Since 2 Mar 2026');
    const working = await textOf(page, '@nordlicht.kaffee');
    expect(working).toMatch(/Connected/);
    expect(working).toMatch(/In 23 hours .* (CET|CEST)/);
    expect(working).toContain('Posts, comments, messages');
    expect(await textOf(page, 'nordlicht.threads')).toContain('Restricted');
    expect(await textOf(page, 'Nordlicht GmbH')).toMatch(/Expires soon Reconnect by \d+ \w+ 20\d\d/);
    expect(await textOf(page, 'Nordlicht Pins')).toMatch(/Connected Reconnect by/);
    expect(await page.title()).toBe('Accounts · Nordlicht · Herald');
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('begins with what needs a person, and shows only that on request', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api);
    await open('/accounts');
    await page.getByText('3 accounts need you.').waitFor();
    expect((await names(page)).slice(0, 4)).toEqual([
      'Nordlicht TikTok',
      'nordlicht.threads',
      'Nordlicht GmbH',
      'Nordlicht Kaffee',
    ]);
    await page.getByRole('button', { name: 'Show only these' }).click();
    await page.waitForURL('**/accounts?status=attention');
    expect(await names(page)).toHaveLength(3);
    await page.getByText('3 of 6 accounts').waitFor();
  });

  panelTest('can be narrowed by words, platform and state, which the URL keeps', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api, { accounts: many });
    await open('/accounts');
    await page.getByText('2,000 accounts', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search accounts' }).fill('koln store 1');
    await page
      .getByRole('button', { name: /Platform$|Platform/ })
      .last()
      .click();
    await page.getByRole('option', { name: 'Facebook' }).click();
    await page.waitForURL(/q=koln.*platform=facebook/);
    await expect.poll(async () => (await names(page)).every((name) => name.endsWith('Köln'))).toBe(true);
    const found = await names(page);
    expect(found.length).toBeGreaterThan(10);
    await page.reload();
    await expect.poll(() => names(page)).toEqual(found);
    await open('/accounts?q=2999');
    await expect.poll(() => names(page)).toEqual(['Store 1999 Köln']);
    await open('/accounts?status=expired&platform=nonsense');
    await expect.poll(async () => (await names(page)).length).toBe(20);
  });

  panelTest('stays quick with 2,000 accounts', async ({ panel: { page, api, open } }) => {
    serveAccounts(api, { accounts: many });
    await open('/accounts');
    await page.getByText('2,000 accounts', { exact: true }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search accounts' });
    const begunAt = Date.now();
    await search.pressSequentially('store 77');
    await page.getByText(/^\d+ of 2,000 accounts$/).waitFor();
    expect(Date.now() - begunAt).toBeLessThan(6_000);
    expect(await page.getByRole('row').count()).toBeLessThan(60);
  });

  panelTest('keeps its place when somebody comes back to it', async ({ panel: { page, api, open } }) => {
    serveAccounts(api, { accounts: many });
    await open('/accounts');
    await page.getByRole('table').waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
    const inMiddle = page.getByRole('row').nth(15);
    await expect.poll(async () => Number(await inMiddle.getAttribute('aria-rowindex'))).toBeGreaterThan(500);
    const link = page.getByRole('link', { name: /^Store \d+/ }).nth(15);
    const [name, before] = [await link.innerText(), await link.boundingBox()];
    await link.click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goBack();
    const again = page.getByRole('link', { name });
    await expect
      .poll(async () => Math.round((await again.boundingBox())?.y ?? 0))
      .toBe(Math.round(before?.y ?? -1));
  });

  panelTest('keeps the focus in a row when the list is read again', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api, { accounts: many });
    await open('/accounts');
    await page.getByRole('table').waitFor();
    await page.evaluate(() => window.scrollTo(0, 9_000));
    const link = page.getByRole('link', { name: /^Store \d+/ }).nth(15);
    await link.focus();
    const name = await link.innerText();
    // Twenty accounts expire: they are listed first, so all rows move.
    const changed = many.map((each, place) =>
      place > 1_910 && place <= 1_930 ? { ...each, status: 'expired' as const, isActive: false } : each,
    );
    serveAccounts(api, { accounts: changed });
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.getByText(/^40 accounts need you/).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  });

  panelTest('is searched with a key, and says if nothing matches', async ({ panel: { page, api, open } }) => {
    serveAccounts(api);
    await open('/accounts');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('no such account');
    await page.getByRole('heading', { name: 'No account matches' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('table').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  panelTest('offers to connect the first account', async ({ panel: { page, api, open } }) => {
    serveAccounts(api, { accounts: [] });
    await open('/accounts');
    await page.getByRole('heading', { name: 'Connect your first account' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('main').getByRole('button', { name: 'Connect account' }).last().click();
    await page.getByRole('dialog', { name: 'Connect an account' }).waitFor();
  });

  panelTest('says why it did not load, and tries again', async ({ panel: { page, api, open } }) => {
    serveAccounts(api).on('GET /v1/accounts', refusal(500, 'internal', 'an error of this service'));
    await open('/accounts');
    await page.getByText('An error of this service.').waitFor();
    await page.getByText(requestId).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    serveAccounts(api);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table').waitFor();
  });

  panelTest('keeps what it has if it cannot say what is planned', async ({ panel: { page, api, open } }) => {
    serveAccounts(api, { accounts: [instagram] }).on(
      'GET /v1/posts',
      refusal(500, 'internal', 'an error of this service'),
    );
    await open('/accounts');
    await row(page, 'Nordlicht Kaffee').getByText('Not loaded').waitFor();
  });

  panelTest('shows that it is loading', async ({ panel: { page, api, open } }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    serveAccounts(api).on('GET /v1/accounts', async () => {
      await promise;
      return { status: 200, body: { accounts: [tiktok], nextCursor: null } };
    });
    await open('/accounts');
    await page.getByRole('status', { name: 'Loading…' }).waitFor();
    resolve();
    await page.getByRole('table').waitFor();
  });

  panelTest('shows hostile names as text, and never scrolls sideways', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api, { accounts: hostile });
    for (const width of [320, 360, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await open('/accounts');
      await page.getByRole('table').waitFor();
      expect(await scrollsSideways(page), `${width}`).toBe(false);
    }
    expect(await names(page)).toContain('<img src=x onerror=alert(1)>');
    expect(await names(page)).toContain('Instagram account …0056');
    // A mark that turns the direction of all text after it is left out.
    expect(await names(page)).toContain('gnp.exe');
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('leads to an account, and back to the same filters', async ({ panel: { page, api, open } }) => {
    serveAccounts(api);
    await open('/accounts?platform=linkedin');
    await page.getByRole('link', { name: 'Nordlicht GmbH' }).click();
    await page.waitForURL(`**/accounts/${linkedin.id}`);
    await page.getByRole('heading', { level: 1, name: 'Nordlicht GmbH' }).waitFor();
    await page.goBack();
    await expect.poll(() => names(page)).toEqual(['Nordlicht GmbH']);
  });
});
