import { describe, expect } from 'vitest';
import { ok, refusal, requestId } from '../../panel/support/fake-api.ts';
import { meOf, newYork, panelTest, scrollsSideways, violationsIn } from '../../panel/support/panel.ts';

describe('somebody who is not signed in', () => {
  panelTest(
    'sees a link to sign in, which leads back to the page',
    async ({ panel: { page, api, open } }) => {
      api.on('GET /panel/me', refusal(401, 'session_missing', 'sign in'));
      await open('/developers/endpoints?filter=failing');
      const link = page.getByRole('link', { name: 'Sign in', exact: true });
      expect(await link.getAttribute('href')).toBe(
        `/api/panel/sign-in?${new URLSearchParams({ returnTo: '/developers/endpoints?filter=failing' })}`,
      );
      expect(await page.title()).toBe('Sign in · Herald');
      expect(await violationsIn(page)).toEqual([]);
    },
  );

  panelTest('is told why a sign-in failed', async ({ panel: { page, open } }) => {
    await open('/signed-out?error=__proto__');
    expect(await page.getByRole('alert').innerText()).toMatch(/^The sign-in failed\. Try again/);
    await open('/signed-out?error=sign_in_refused');
    expect(await page.getByRole('alert').innerText()).toMatch(/^The identity provider has not let you in/);
    expect(await violationsIn(page)).toEqual([]);
  });
});

describe('the shell', () => {
  panelTest('keeps what somebody types while the list of commands is still loading', async ({ panel }) => {
    const { page, open } = panel;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/command-palette-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new');
    release();
    const search = page.getByRole('searchbox', { name: 'Search commands' });
    await search.waitFor();
    expect(await search.inputValue()).toBe('new');
    expect(new URL(page.url()).pathname).toBe('/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await search.waitFor();
    expect(await search.inputValue()).toBe('');
  });

  panelTest('leads to the pages, and moves the focus to their headings', async ({ panel }) => {
    const { page, open } = panel;
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await page.title()).toBe('Home · Nordlicht · Herald');
    await page.getByRole('navigation').getByRole('link', { name: 'Developers' }).click();
    const heading = page.getByRole('heading', { level: 1, name: 'Developers' });
    await heading.waitFor();
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(
      await page
        .getByRole('navigation')
        .getByRole('link', { name: 'Developers' })
        .getAttribute('aria-current'),
    ).toBe('page');
  });

  panelTest('has only links to its own pages in the navigation', async ({ panel: { page, open } }) => {
    await open('/accounts');
    const links = page.getByRole('navigation').getByRole('link');
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(paths).toEqual([
      '/',
      '/calendar',
      '/posts',
      '/accounts',
      '/automations',
      '/media',
      '/links',
      '/results',
      '/developers',
      '/settings',
    ]);
  });

  panelTest('names the tab in the path, and leaves the focus on it', async ({ panel: { page, open } }) => {
    await open('/developers');
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.waitForURL('**/developers/deliveries');
    await page.goBack();
    await page.waitForURL('**/developers');
    expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Keys');
    await page.getByRole('tab', { name: 'Keys' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/developers/endpoints');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Endpoints');
  });

  panelTest('says that an address is no page', async ({ panel: { page, open } }) => {
    await open('/nowhere/at/all');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  panelTest(
    'has the first pages in a bar on small screens, and the others behind a button',
    async ({ panel: { page, open } }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await open('/accounts');
      const navigation = page.getByRole('navigation');
      await navigation.getByRole('link', { name: 'New post' }).waitFor();
      expect(await navigation.getByRole('link', { name: 'Settings' }).count()).toBe(0);
      await navigation.getByRole('button', { name: 'More' }).click();
      expect(await violationsIn(page)).toEqual([]);
      await navigation.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await expect.poll(() => navigation.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    },
  );

  panelTest('hides the audit log from members', async ({ panel: { page, api, open } }) => {
    const me = meOf();
    api.on('GET /panel/me', ok({ ...me, workspaces: me.workspaces.filter(({ id }) => id === newYork) }));
    await open('/settings');
    await page.getByRole('tab', { name: 'Members' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Audit log' }).count()).toBe(0);
  });

  panelTest('shows another workspace, which the tab keeps', async ({ panel: { page, open } }) => {
    await open('/accounts');
    await page.getByRole('button', { name: /^Workspace: Nordlicht/ }).click();
    await page.getByRole('menuitemradio', { name: /Harbour/ }).click();
    await page.getByRole('button', { name: /^Workspace: Harbour/ }).waitFor();
    expect(await page.title()).toBe('Accounts · Harbour · Herald');
    await page.reload();
    await page.getByRole('button', { name: /^Workspace: Harbour/ }).waitFor();
    expect(await page.evaluate(() => [sessionStorage['workspace'], localStorage['workspace']])).toEqual([
      newYork,
      newYork,
    ]);
  });

  panelTest('says so if the person is in no workspace', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/me', ok(meOf({ workspaces: [] })));
    await open('/');
    await page.getByRole('heading', { name: 'You are in no workspace yet' }).waitFor();
    await page.getByText('Ask an owner to invite owner@herald.example').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest(
    'says what failed and what to quote, and loads when asked again',
    async ({ panel: { page, api, open } }) => {
      api.on('GET /panel/me', refusal(500, 'internal', 'internal error'));
      await open('/accounts');
      await page.getByRole('heading', { name: 'This did not load' }).waitFor();
      expect(await page.getByRole('alert').innerText()).toContain(requestId);
      api.on('GET /panel/me', ok(meOf()));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    },
  );

  panelTest(
    'asks again by itself if a read meets a passing failure',
    async ({ panel: { page, api, open } }) => {
      let left = 2;
      api.on('GET /panel/me', () => {
        left -= 1;
        if (left === 1) return { status: 0, isDropped: true };
        return left === 0 ? refusal(503, 'unavailable', 'busy') : ok(meOf());
      });
      await open('/accounts');
      await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
      expect(api.to('GET /panel/me').length).toBeGreaterThanOrEqual(3);
    },
  );

  panelTest('says that the browser is offline, until it is not', async ({ panel: { page, open } }) => {
    await open('/accounts');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  panelTest('signs out, and shows nothing of the workspace', async ({ panel: { page, api, open } }) => {
    api.on('POST /panel/sign-out', ok({ signOutUrl: null }));
    await open('/accounts');
    await page.getByRole('button', { name: /^You/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/signed-out');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  });
});

describe('unfinished work after signing out', () => {
  panelTest(
    'is deleted if its person wants that, and only theirs',
    async ({ panel: { page, api, open } }) => {
      api.on('POST /panel/sign-out', ok({ signOutUrl: null }));
      await open('/accounts');
      await page.getByRole('button', { name: /^You/ }).waitFor();
      const { person } = meOf();
      const names = [
        `compose/${person.id}/w/1`,
        `automations/${person.id}/v/new`,
        'compose/somebody-else/w/1',
      ];
      await page.evaluate((names) => {
        for (const name of names) localStorage.setItem(name, '{}');
      }, names);
      await page.getByRole('button', { name: /^You/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText('2 drafts of yours are still in this browser.').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Delete the drafts' }).click();
      await page.getByText('2 drafts of yours').waitFor({ state: 'detached' });
      const left = await page.evaluate(() => Object.keys(localStorage));
      expect(left.filter((name) => names.includes(name))).toEqual(['compose/somebody-else/w/1']);
    },
  );
});

describe('the keyboard', () => {
  panelTest('reaches the content first, by the skip link', async ({ panel: { page, open } }) => {
    await open('/accounts');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  panelTest('runs commands by their words', async ({ panel: { page, open } }) => {
    await open('/accounts');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search commands' }).waitFor();
    // The focus stays in the field; the arrow keys scroll the list.
    expect(await violationsIn(page, ['scrollable-region-focusable'])).toEqual([]);
    await page.keyboard.type('devel');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/developers');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  panelTest('goes to pages by single keys, unless they are turned off', async ({ panel: { page, open } }) => {
    await open('/accounts');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL('**/settings');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('switch', { name: /Single-key shortcuts/ }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/settings');
  });

  panelTest(
    'begins a post from every page, unless the page has another use for the key',
    async ({ panel }) => {
      const { page, open } = panel;
      await open('/settings');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('n');
      await page.waitForURL('**/compose**');
      await open('/accounts');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('n');
      await page.getByRole('dialog', { name: /Connect/ }).waitFor();
    },
  );

  panelTest('opens a menu, moves in it, and gets the focus back', async ({ panel: { page, open } }) => {
    await open('/accounts');
    const button = page.getByRole('button', { name: /^You/ });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: 'You' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('End');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign out');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('every page', () => {
  panelTest.for([
    '/accounts',
    '/developers',
    '/settings',
    '/settings/sessions',
    '/settings/workspace',
    '/settings/audit',
    '/signed-in',
    '/signed-out',
  ])(
    '%s passes axe-core in both themes, and fits into 320 pixels',
    async (path, { panel: { page, open } }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await open(path);
      await page.getByRole('heading').first().waitFor();
      expect(await violationsIn(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
    },
  );

  panelTest('keeps the theme that a person chose', async ({ panel: { page, open } }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('/accounts');
    await page.getByRole('button', { name: /^You/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await expect.poll(background).toBe('rgb(16, 17, 19)');
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await background()).toBe('rgb(16, 17, 19)');
  });
});
