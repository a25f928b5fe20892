import { describe, expect } from 'vitest';
import { serveAccounts } from '../support/accounts.ts';
import { ok, refusal } from '../support/fake-api.ts';
import { meOf } from '../support/me.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

describe('signing in', () => {
  panelTest('leads back to the page that somebody wanted', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/me', refusal(401, 'session_missing', 'sign in'));
    await open('/accounts?q=kaffee');
    const link = page.getByRole('link', { name: 'Sign in', exact: true });
    expect(await link.getAttribute('href')).toBe(
      `/api/panel/sign-in?${new URLSearchParams({ returnTo: '/accounts?q=kaffee' })}`,
    );
    await expect.poll(() => page.title()).toBe('Sign in · Herald');
  });

  walk('/signed-out', 'says why it failed', async ({ page, open, inspect }) => {
    await open('/signed-out?error=sign_in_refused');
    expect(await page.getByRole('alert').innerText()).toMatch(/^The identity provider has not let you in/);
    await inspect();
  });

  walk('/signed-in', 'ends in a window of its own, which says so', async ({ page, open, inspect }) => {
    await open('/signed-in');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('main').getByRole('link').getAttribute('href')).toBe('/');
    await inspect();
  });

  panelTest('again keeps the page of a session that has ended', async ({ panel }) => {
    const { page, api, open } = panel;
    const { session } = meOf();
    serveAccounts(api);
    await open('/accounts');
    await page.getByText('6 accounts', { exact: true }).waitFor();
    api.on('GET /panel/me', refusal(401, 'session_ended', 'the session has ended'));
    api.on('GET /panel/sign-in', ({ query }) => {
      api.on('GET /panel/me', ok(meOf({ session: { ...session, signedInAt: '2026-03-02T12:00:00.000Z' } })));
      return { status: 303, headers: { location: query.get('returnTo') ?? '/' } };
    });
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Sign in' }).click(),
    ]);
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('6 accounts', { exact: true }).waitFor();
  });
});

describe('signing out', () => {
  panelTest('offers to delete the drafts that the person leaves behind', async ({ panel }) => {
    const { page, api, open } = panel;
    api.on('POST /panel/sign-out', ok({ signOutUrl: null }));
    await open('/accounts');
    await page.getByRole('button', { name: /^You/ }).waitFor();
    const names = [`compose/${meOf().person.id}/w/1`, 'compose/somebody-else/w/1'];
    await page.evaluate((names) => {
      for (const name of names) localStorage.setItem(name, '{}');
    }, names);
    await page.getByRole('button', { name: /^You/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/signed-out');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.getByRole('button', { name: /^Delete the draft/ }).click();
    await page.getByText(/drafts? of yours/).waitFor({ state: 'detached' });
    const left = await page.evaluate(() => Object.keys(localStorage));
    expect(left.filter((name) => name.startsWith('compose'))).toEqual(['compose/somebody-else/w/1']);
  });
});
