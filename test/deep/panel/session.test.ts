import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type FakeApi, ok, refusal } from '../../panel/support/fake-api.ts';
import { componentsTest, meOf, panelTest, violationsIn } from '../../panel/support/panel.ts';

/** Signing in at this API takes one redirect. It then has a session that begins at the time. */
function acceptSignIn(api: FakeApi, signedInAt: string, personId = 'person-1'): void {
  const { session, person } = meOf();
  api.on('GET /panel/sign-in', ({ query }) => {
    const me = meOf({ session: { ...session, signedInAt }, person: { ...person, id: personId } });
    api.on('GET /panel/me', ok(me)).on('POST /panel/keys', issued);
    return { status: 303, headers: { location: query.get('returnTo') ?? '/' } };
  });
}

const issued = { status: 201, body: { key: {}, apiKey: 'secret-key', warnings: [] } };
const later = '2026-03-02T12:00:00.000Z';

async function fillIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('CI of the shop');
  await page.getByRole('checkbox', { name: 'LinkedIn' }).check({ force: true });
  await page.getByRole('button', { name: 'Create key' }).click();
}

describe('a form that is sent after the session has ended', () => {
  componentsTest(
    'asks for a sign-in, and then sends what was typed',
    async ({ panel: { page, api, open } }) => {
      api.on('POST /panel/keys', refusal(401, 'session_ended', 'the session has ended'));
      acceptSignIn(api, later);
      await open('/');
      await fillIn(page);
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.waitFor();
      expect(await violationsIn(page)).toEqual([]);
      const [signIn] = await Promise.all([
        page.waitForEvent('popup'),
        dialog.getByRole('button', { name: 'Sign in' }).click(),
      ]);
      expect(new URL(signIn.url()).origin === 'null' || signIn.url().includes('/')).toBe(true);
      // The page of this site knows no `/signed-in`, so the test says what that page says.
      await signIn.waitForLoadState();
      await signIn.evaluate(() => new BroadcastChannel('session').postMessage({ kind: 'signed-in' }));
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.getByLabel('Your new key').inputValue()).toBe('secret-key');
      await expect
        .poll(() => api.to('POST /panel/keys').map(({ body }) => body))
        .toEqual([{ name: 'CI of the shop' }, { name: 'CI of the shop' }]);
    },
  );

  componentsTest(
    'keeps what was typed if the person does not sign in',
    async ({ panel: { page, api, open } }) => {
      api.on('POST /panel/keys', refusal(401, 'session_ended', 'the session has ended'));
      await open('/');
      await fillIn(page);
      await page.getByRole('button', { name: 'Not now' }).click();
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('CI of the shop');
      await page.getByText('Nothing was changed').waitFor();
      await expect.poll(() => api.to('POST /panel/keys')).toHaveLength(1);
    },
  );

  componentsTest(
    'asks who it is if the service wants a recent sign-in',
    async ({ panel: { page, api, open } }) => {
      api.on('POST /panel/keys', refusal(403, 'sign_in_again', 'sign in again'));
      acceptSignIn(api, later);
      await open('/');
      await fillIn(page);
      const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
      const [signIn] = await Promise.all([
        page.waitForEvent('popup'),
        dialog.getByRole('button', { name: 'Sign in' }).click(),
      ]);
      await signIn.waitForLoadState();
      await expect
        .poll(() => api.to('GET /panel/sign-in').map(({ query }) => Object.fromEntries(query)))
        .toEqual([{ returnTo: '/signed-in', again: 'true' }]);
      // A browser that keeps the two windows apart: the page looks for itself once the person is back.
      await signIn.close();
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await expect.poll(() => page.getByLabel('Your new key').inputValue()).toBe('secret-key');
    },
  );

  componentsTest(
    'is dropped with the page if somebody else signs in',
    async ({ panel: { page, api, open } }) => {
      api.on('POST /panel/keys', refusal(401, 'session_ended', 'the session has ended'));
      acceptSignIn(api, later, 'person-2');
      await open('/?rows=1');
      await fillIn(page);
      const [signIn] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: 'Sign in' }).click(),
      ]);
      await signIn.waitForLoadState();
      await signIn.evaluate(() => new BroadcastChannel('session').postMessage({ kind: 'signed-in' }));
      await page.waitForURL((url) => url.search === '');
      await expect.poll(() => api.to('POST /panel/keys')).toHaveLength(1);
    },
  );
});

describe('the panel', () => {
  panelTest('keeps the page when the session ends, and goes on after a sign-in', async ({ panel }) => {
    const { page, api, open } = panel;
    await open('/accounts');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    api.on('GET /panel/me', refusal(401, 'session_ended', 'the session has ended'));
    acceptSignIn(api, later);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await page.getByRole('heading', { level: 1, name: 'Accounts' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const [signIn] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Sign in' }).click(),
    ]);
    // The window's own page says that it is done, and closes.
    if (!signIn.isClosed()) await signIn.waitForEvent('close');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByText('You are signed out.').count()).toBe(0);
  });
});
