import { describe, expect } from 'vitest';
import { disconnectAccountOperation } from '../../../lib/accounts/operations.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import {
  inDays,
  instagram,
  linkedin,
  noConsequences,
  postFor,
  replyOf,
  rhythm,
  rhythmReply,
  savedRhythm,
  serveAccounts,
} from '../support/accounts.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

describe('the list of accounts', () => {
  walk('/accounts', 'says of each whether it works, and why not', async ({ page, api, open, inspect }) => {
    serveAccounts(api, { posts: [postFor(1, instagram, inDays(2))] });
    await open('/accounts');
    const textOf = async (name: string) =>
      (await page.getByRole('row').filter({ hasText: name }).innerText()).replace(/\s+/g, ' ');
    await page.getByText('Nothing planned').first().waitFor();
    expect(await textOf('Nordlicht TikTok')).toMatch(/TikTok · @nordlicht .*Expired .*invalid_grant/);
    expect(await textOf('@nordlicht.kaffee')).toContain('Connected');
    expect(await textOf('nordlicht.threads')).toContain('Restricted');
    expect(await textOf('Nordlicht GmbH')).toMatch(/Expires soon Reconnect by \d+ \w+ 20\d\d/);
    await inspect();
  });

  panelTest('is narrowed by words and by state', async ({ panel: { page, api, open } }) => {
    serveAccounts(api);
    await open('/accounts');
    const names = () => page.getByRole('table').getByRole('rowheader').getByRole('link').allTextContents();
    await page.getByRole('button', { name: 'Show only these' }).click();
    await page.waitForURL('**/accounts?status=attention');
    await expect.poll(names).toEqual(['Nordlicht TikTok', 'nordlicht.threads', 'Nordlicht GmbH']);
    await page.getByRole('searchbox', { name: 'Search accounts' }).fill('gmbh');
    await expect.poll(names).toEqual(['Nordlicht GmbH']);
  });
});

describe('the page of an account', () => {
  walk('/accounts/$id', 'shows what is planned, and changes its rhythm', async (panel) => {
    const { page, api, open, inspect } = panel;
    let saved = rhythm;
    serveAccounts(api, { preview: { ...noConsequences, scheduledTargets: 12, activeAutomations: 2 } })
      .on('GET /v1/accounts/{id}/rhythm', () => rhythmReply(saved))
      .on('PUT /v1/accounts/{id}/rhythm', ({ body }) => {
        saved = Rhythm.parse(body);
        return savedRhythm(saved);
      });
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('heading', { level: 1, name: 'Nordlicht Kaffee' }).waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Planned', exact: true }).innerText())
      .toMatch(/12[\s\S]*Active automations\n2/);
    const most = page.getByRole('textbox', { name: 'Posts a day, at most' });
    await most.waitFor();
    await inspect();
    await most.fill('5');
    await most.press('Enter');
    await expect
      .poll(() => api.to('PUT /v1/accounts/{id}/rhythm').map(({ body }) => body))
      .toEqual([{ ...rhythm, dailyCap: 5 }]);
    await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  });

  panelTest('disconnects it after saying what stops', async ({ panel: { page, api, open } }) => {
    serveAccounts(api, { preview: { ...noConsequences, scheduledTargets: 12 } }).on(
      'DELETE /v1/accounts/{id}',
      () => {
        serveAccounts(api, { accounts: [linkedin] });
        return replyOf(disconnectAccountOperation, {
          ok: true,
          scheduledTargets: 12,
          waitingChainSteps: 0,
          warnings: [],
        });
      },
    );
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('button', { name: 'Disconnect…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Disconnect Nordlicht Kaffee?' });
    await dialog.getByText('12 scheduled posts: they fail at their times').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Disconnect account' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'Yes, disconnect “Nordlicht Kaffee”' }).press('Space');
    await confirm.click();
    await page.waitForURL('**/accounts');
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toHaveLength(1);
    await expect
      .poll(() => api.to('DELETE /v1/accounts/{id}').map(({ path }) => path))
      .toEqual([`/v1/accounts/${instagram.id}`]);
  });
});
