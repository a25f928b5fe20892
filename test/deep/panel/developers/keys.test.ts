import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accountOf,
  ago,
  day,
  days,
  hostileNames,
  id,
  keyOf,
  memberOf,
  newApiKey,
} from '../../../panel/support/developers-data.ts';
import {
  expectForgotten,
  focusedName,
  developersTest as test,
} from '../../../panel/support/developers-test.ts';
import { ok, refusal, requestId } from '../../../panel/support/fake-api.ts';
import { meOf, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const path = '/developers';
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

async function openNewKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog', { name: 'New key' }).waitFor();
}

async function choose(page: Page, name: string, action: RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('the keys', () => {
  test('are shown with what they may do, by whom they were made, and how they are used', async ({ on }) => {
    const { page, has, open } = on;
    has.accounts = [accountOf(31, { displayName: 'Nordlicht' })];
    has.members.push(memberOf(22, { name: 'Max Member', personId: 'person-22' }));
    has.keys = [
      keyOf(1, { name: 'Shop' }),
      keyOf(2, {
        name: 'Reporting',
        lastFour: '9aLm',
        permissions: ['read', 'publish'],
        accountIds: [id(31), id(39)],
        createdBy: { kind: 'person', id: 'person-22' },
        lastUsedOn: day(days(70)),
        expiresAt: ago(-days(3)),
      }),
      keyOf(3, {
        name: 'Old',
        status: 'revoked',
        revokedAt: ago(days(9)),
        createdBy: { kind: 'operator', id: 'ada' },
      }),
      keyOf(4, {
        name: 'Child',
        createdBy: { kind: 'key', id: id(1) },
        lastUsedOn: null,
        previousUntil: ago(-30),
      }),
    ];
    await open(path);
    const text = async (name: string) => (await row(page, name).innerText()).replace(/\s+/g, ' ');
    await row(page, 'Shop').waitFor();
    await expect
      .poll(() => text('Reporting'))
      .toContain('9aLm Read, Publish Nordlicht, Disconnected account');
    expect(await text('Reporting')).toMatch(/by Max Member .* Unused for 30 days Active Expires \d/);
    expect(await text('Shop')).toMatch(/All permissions All accounts .* by you .* UTC Active$/);
    expect(await text('Old')).toMatch(/by operator ada .* Revoked \d/);
    expect(await text('Child')).toMatch(
      /by key “Shop” Never Unused for 30 days Active The old value works until .* (CET|CEST)/,
    );
    expect(await page.getByRole('rowheader').allInnerTexts()).toHaveLength(4);
    expect(await row(page, 'Old').getByRole('button').count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('are found by words and status, which the URL keeps', async ({ on: { page, has, open } }) => {
    has.keys = [keyOf(1, { name: 'Shop 12' }), keyOf(2, { name: 'Shop', status: 'expired' }), keyOf(3)];
    await open(path);
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('12');
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(1);
    await page.reload();
    await page.getByRole('status').filter({ hasText: '1 key' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('12');
    await page.getByRole('button', { name: /^Status|All keys/ }).click();
    await page.getByRole('option', { name: 'Expired' }).click();
    await page.getByRole('heading', { name: 'No key fits' }).waitFor();
    await page.getByRole('button', { name: 'Show all keys' }).click();
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(3);
    expect(new URL(page.url()).search).toBe('');
  });

  test('are offered with a request to try, where there is none', async ({ on: { page, open } }) => {
    await open(path);
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    expect(await page.getByRole('figure').innerText()).toContain(
      `curl 'https://api.test/v1/accounts' \\\n  -H "Authorization: Bearer $HERALD_API_KEY"`,
    );
    expect(await violationsIn(page)).toEqual([]);
  });

  test('that do not load say why, and load when asked again', async ({ on: { page, api, has, open } }) => {
    has.keys = [keyOf(1, { name: 'Shop' })];
    api.on('GET /panel/keys', refusal(500, 'internal', 'internal error'));
    await open(path);
    expect(await page.getByRole('alert').innerText()).toContain(requestId);
    expect(await violationsIn(page)).toEqual([]);
    has.answer();
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'Shop').waitFor();
  });

  test('are not read for a member, who is told whom to ask', async ({ on: { page, api, has, open } }) => {
    const me = meOf();
    api.on('GET /panel/me', ok({ ...me, workspaces: [{ ...me.workspaces[0], role: 'member' }] }));
    has.members.push(memberOf(22, { name: 'Max Member' }));
    await open('/developers/deliveries');
    await page.getByRole('heading', { name: 'Only owners see keys and endpoints' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Olga Owner' }).waitFor();
    expect(await page.getByText('Max Member').count()).toBe(0);
    expect(
      api.requests.map((each) => each.path).filter((each) => /keys|webhooks|deliveries/.test(each)),
    ).toEqual([]);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('may have hostile names, on the smallest screen too', async ({ on: { page, has, open } }) => {
    has.accounts = hostileNames.map((displayName, place) => accountOf(31 + place, { displayName }));
    has.members.push(memberOf(22, { name: hostileNames[1], personId: 'person-22' }));
    has.keys = hostileNames.map((name, place) =>
      keyOf(place + 1, {
        name,
        accountIds: [id(31 + place)],
        createdBy: { kind: 'person', id: 'person-22' },
      }),
    );
    await page.setViewportSize({ width: 320, height: 640 });
    await open(path);
    await page.getByRole('rowheader', { name: hostileNames[0] }).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await page.locator('img').count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('may be 2,000, and are filtered while one types', async ({ on: { page, has, open } }) => {
    has.keys = Array.from({ length: 2_000 }, (_, place) => keyOf(place + 1));
    await open(path);
    await page.getByRole('status').filter({ hasText: '2,000 keys' }).waitFor();
    await page.getByRole('searchbox').fill('Key 1999');
    await page.getByRole('status').filter({ hasText: '1 key' }).waitFor();
  });
});

describe('a new key', () => {
  test('is made by keyboard, shown once, and forgotten', async ({ on: { page, api, has, open } }) => {
    await open('/accounts');
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New key' }).waitFor();
    await page.keyboard.type('CI of the shop');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Your new key' });
    await field.waitFor();
    expect(await field.inputValue()).toBe(newApiKey);
    expect(await field.getAttribute('readonly')).not.toBeNull();
    expect(await page.getByRole('dialog').getByRole('figure').innerText()).toContain(
      'Bearer $HERALD_API_KEY',
    );
    // React Aria has announced that the button is pending, in a node that names the button for some seconds more.
    expect(await violationsIn(page, ['role-img-alt'])).toEqual([]);
    await page.keyboard.press('Escape');
    // A secret is not lost by going back.
    await page.evaluate(() => history.back());
    expect(await field.inputValue()).toBe(newApiKey);
    await page.getByRole('button', { name: 'I have stored it' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row(page, 'CI of the shop').waitFor();
    await expectForgotten(page, newApiKey);
    await expect
      .poll(() => api.to('POST /panel/keys').map(({ body }) => body))
      .toEqual([{ name: 'CI of the shop' }]);
    expect(has.keys).toHaveLength(1);
  });

  test('is limited to permissions, accounts and a day in the zone', async ({ on }) => {
    const { page, api, has, open } = on;
    has.accounts = Array.from({ length: 12 }, (_, place) => accountOf(31 + place));
    await open(path);
    await openNewKey(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Reporting');
    await dialog.getByText('Chosen permissions').click();
    await dialog.getByRole('checkbox', { name: /^Publish/ }).press('Space');
    await dialog.getByText('Chosen accounts', { exact: true }).click();
    await dialog.getByRole('searchbox', { name: 'Find an account' }).fill('account-33');
    await dialog.getByRole('checkbox', { name: /account-33/ }).press('Space');
    await dialog.getByRole('searchbox').fill('');
    await dialog.getByRole('checkbox', { name: /account-31/ }).press('Space');
    await dialog.getByRole('button', { name: /Expiry/ }).click();
    await page.getByRole('option', { name: 'On a date…' }).click();
    const date = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel('Last day').fill(date);
    await dialog.getByText('until the end of this day in Europe/Berlin').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Your new key' }).waitFor();
    const [request] = api.to('POST /panel/keys');
    expect(request?.body).toEqual({
      name: 'Reporting',
      permissions: ['read', 'publish'],
      accountIds: [id(33), id(31)],
      expiresAt: expect.stringMatching(new RegExp(`^${date}T2[23]:00:00`)),
    });
  });

  test('is not made without a name, a permission or a day', async ({ on: { page, api, open } }) => {
    await open(path);
    await openNewKey(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Chosen permissions').click();
    await dialog.getByRole('checkbox', { name: /^Read/ }).press('Space');
    await dialog.getByRole('button', { name: /Expiry/ }).click();
    await page.getByRole('option', { name: 'On a date…' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    for (const text of ['Give the key a name.', 'Choose at least one permission.', 'Choose a day.'])
      await dialog.getByText(text).waitFor();
    await expect
      .poll(() => dialog.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid'))
      .toBe('true');
    expect(api.to('POST /panel/keys')).toEqual([]);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('that is refused keeps what was typed, and names the field', async ({ on: { page, api, open } }) => {
    const problems = [{ param: 'expiresAt', message: 'must be within 5 years' }];
    api.on('POST /panel/keys', refusal(400, 'invalid', 'expiresAt: must be within 5 years', problems));
    await open(path);
    await openNewKey(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Must be within 5 years.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Shop');
  });

  test('survives the end of the session', async ({ on: { page, api, has, open } }) => {
    await open(path);
    await openNewKey(page);
    api.on('POST /panel/keys', refusal(401, 'session_ended', 'the session has ended'));
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('Nothing was changed').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Shop');
    has.answer();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('textbox', { name: 'Your new key' }).waitFor();
    expect(has.keys.map(({ name }) => name)).toEqual(['Shop']);
  });
});

describe('a key', () => {
  test('is rotated with an overlap', async ({ on: { page, api, has, open } }) => {
    has.keys = [keyOf(1, { name: 'CI', previousUntil: ago(-60) })];
    await open(path);
    await choose(page, 'CI', /Rotate/);
    const dialog = page.getByRole('dialog', { name: 'Rotate “CI”' });
    await dialog.getByText('This ends the value before the last rotation').waitFor();
    await dialog.getByRole('radio', { name: '1 hour' }).press('Space');
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await page
      .getByRole('dialog', { name: 'Key rotated' })
      .getByText(/The value before works until .*(CET|CEST)/)
      .waitFor();
    await expect
      .poll(() => api.to('POST /panel/keys/{id}/rotate').map(({ body }) => body))
      .toEqual([{ overlapMinutes: 60 }]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await expectForgotten(page, newApiKey);
    await expect.poll(() => focusedName(page)).toBe('Actions for CI');
  });

  test('that has expired gets a new value with a new expiry', async ({ on: { page, api, has, open } }) => {
    has.keys = [keyOf(1, { name: 'CI', status: 'expired', expiresAt: ago(days(3)) })];
    await open(path);
    await choose(page, 'CI', /Rotate/);
    const dialog = page.getByRole('dialog', { name: 'Rotate “CI”' });
    await dialog.getByText('The key has expired.').waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(0);
    await dialog.getByRole('button', { name: /Expiry/ }).click();
    expect(await page.getByRole('option').allInnerTexts()).not.toContain('Never');
    await page.getByRole('option', { name: 'In 30 days' }).click();
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('dialog', { name: 'Key rotated' }).getByText('not accepted any more').waitFor();
    const [sent] = api.to('POST /panel/keys/{id}/rotate').map(({ body }) => body as { expiresAt: string });
    expect(sent).toEqual({ overlapMinutes: 0, expiresAt: expect.any(String) });
    expect(Math.abs(Date.parse(sent?.expiresAt ?? '') - Date.parse(ago(-days(30))))).toBeLessThan(60_000);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await expect.poll(() => row(page, 'CI').innerText()).toContain('Active');
  });

  test('is revoked after a question that says what stops', async ({ on: { page, has, open } }) => {
    has.keys = [keyOf(1, { name: 'CI', lastUsedOn: '2026-03-14' })];
    await open(path);
    await choose(page, 'CI', /Revoke/);
    const dialog = page.getByRole('alertdialog', { name: 'Revoke “CI”?' });
    const text = await dialog.innerText();
    for (const fact of ['is refused', '14 Mar 2026', 'still published', 'cannot be undone'])
      expect(text).toContain(fact);
    expect(await violationsIn(page)).toEqual([]);
    expect(await focusedName(page)).toBe('Cancel');
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => row(page, 'CI').innerText()).toContain('Revoked');
  });

  test('that cannot be revoked stays, and the dialog says why', async ({ on: { page, api, has, open } }) => {
    has.keys = [keyOf(1, { name: 'CI' })];
    api.on(
      'DELETE /panel/keys/{id}',
      refusal(409, 'conflict', 'key: others change it at the same time; try again'),
    );
    await open(path);
    await choose(page, 'CI', /Revoke/);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('alertdialog').getByText('others change it at the same time').waitFor();
  });

  test('has a request that its permissions allow', async ({ on: { page, has, open } }) => {
    has.keys = [keyOf(1, { name: 'Writer', permissions: ['publish'] })];
    await open(path);
    await choose(page, 'Writer', /curl/);
    expect(await page.getByRole('figure').innerText()).toContain('/v1/posts/validate');
    expect(await violationsIn(page)).toEqual([]);
  });
});
