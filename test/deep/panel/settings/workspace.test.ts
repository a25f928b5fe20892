import { describe, expect } from 'vitest';
import { beMember, hostile, workspaceOf } from '../../../panel/settings/support/data.ts';
import { signIn, wantSignIn } from '../../../panel/settings/support/signing-in.ts';
import { ok, refusal, requestId } from '../../../panel/support/fake-api.ts';
import { meOf, panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const gib = 1_024 ** 3;

describe('the settings of a workspace', () => {
  panelTest('let an owner change name and time zone, by keyboard alone', async ({ panel }) => {
    const { page, api, open } = panel;
    let workspace = workspaceOf();
    api
      .on('GET /v1/workspace', () => ok({ workspace }))
      .on('PATCH /v1/workspace', ({ body }) => {
        workspace = workspaceOf(body as object);
        const me = meOf();
        const [first, ...others] = me.workspaces;
        api.on(
          'GET /panel/me',
          ok(meOf({ workspaces: [{ ...first, ...(body as object) } as never, ...others] })),
        );
        return ok({ workspace, warnings: [] });
      });
    await open('/settings');
    await page.getByText('3 Nov 2025, 11:15 CET').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Südlicht');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('new york');
    await page
      .getByRole('option', { name: /America\/New York/ })
      .getByText(/^Now \d\d:\d\d, GMT-[45]$/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Workspace saved').waitFor();
    await expect
      .poll(() => api.to('PATCH /v1/workspace').map(({ body }) => body))
      .toEqual([{ name: 'Südlicht', timezone: 'America/New_York' }]);
    // Every time on the page follows the zone, and the navigation the name.
    await page.getByText('3 Nov 2025, 05:15 GMT-5').waitFor();
    await page.getByRole('button', { name: /^Workspace: Südlicht/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('send only what was changed', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /v1/workspace', ok({ workspace: workspaceOf() }))
      .on('PATCH /v1/workspace', ok({ workspace: workspaceOf({ name: 'Neu' }), warnings: [] }));
    await open('/settings');
    await page.getByRole('textbox', { name: 'Name' }).fill('Neu');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Workspace saved').waitFor();
    await expect.poll(() => api.to('PATCH /v1/workspace')[0]?.body).toEqual({ name: 'Neu' });
  });

  panelTest('keep what is typed while the page reads again', async ({ panel: { page, api, open } }) => {
    api.on('GET /v1/workspace', ok({ workspace: workspaceOf() }));
    await open('/settings');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Half a na');
    api.on(
      'GET /v1/workspace',
      ok({ workspace: workspaceOf({ counts: { accounts: 77, webhooks: 1, keys: 2 } }) }),
    );
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('link', { name: '77' }).waitFor();
    expect(await name.inputValue()).toBe('Half a na');
    await page.getByRole('button', { name: 'Undo changes' }).click();
    expect(await name.inputValue()).toBe('Nordlicht');
  });

  panelTest('keep what is typed while somebody looks at another tab or page', async ({ panel }) => {
    const { page, api, open } = panel;
    api
      .on('GET /v1/workspace', ok({ workspace: workspaceOf() }))
      .on('PATCH /v1/workspace', ok({ workspace: workspaceOf({ name: 'Neu' }), warnings: [] }));
    await open('/settings');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Half a na');
    await page.getByRole('tab', { name: 'Preferences' }).click();
    await name.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Workspace' }).click();
    await expect.poll(() => name.inputValue()).toBe('Half a na');
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
    await page.goBack();
    await expect.poll(() => name.inputValue()).toBe('Half a na');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(questions).toEqual(['beforeunload']);
    await expect.poll(() => name.inputValue()).toBe('Nordlicht');
  });

  panelTest('keep what is typed when the session ends, and send it after a sign-in', async ({ panel }) => {
    const { page, api, open } = panel;
    api.on('GET /v1/workspace', ok({ workspace: workspaceOf() }));
    wantSignIn(
      api,
      'PATCH /v1/workspace',
      refusal(401, 'session_ended', 'the session has ended'),
      ok({ workspace: workspaceOf({ name: 'Neu' }), warnings: [] }),
    );
    await open('/settings');
    await page.getByRole('textbox', { name: 'Name' }).fill('Neu');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await signIn(page, 'Your session has ended');
    await page.getByText('Workspace saved').waitFor();
    await expect
      .poll(() => api.to('PATCH /v1/workspace').map(({ body }) => body))
      .toEqual([{ name: 'Neu' }, { name: 'Neu' }]);
  });

  panelTest('show a problem at its field', async ({ panel: { page, api, open } }) => {
    const message = 'must not contain control characters';
    api
      .on('GET /v1/workspace', ok({ workspace: workspaceOf() }))
      .on('PATCH /v1/workspace', refusal(400, 'invalid', `name: ${message}`, [{ param: 'name', message }]));
    await open('/settings');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('a\u202eb');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Must not contain control characters.').waitFor();
    await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await name.inputValue()).toBe('a\u202eb');
  });

  panelTest('show a problem with the time zone, without its list above it', async ({ panel }) => {
    const { page, api, open } = panel;
    const message = 'must be an IANA time zone';
    api
      .on('GET /v1/workspace', ok({ workspace: workspaceOf() }))
      .on(
        'PATCH /v1/workspace',
        refusal(400, 'invalid', `timezone: ${message}`, [{ param: 'timezone', message }]),
      );
    await open('/settings');
    await page.getByRole('textbox', { name: 'Name' }).fill('Neu');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Must be an IANA time zone.').waitFor();
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await expect.poll(() => zone.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByRole('listbox').count()).toBe(0);
    await zone.click();
    await page.getByRole('option', { name: /America\/New York/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.getByRole('listbox').waitFor();
  });

  panelTest('can be read by a member, who changes nothing', async ({ panel: { page, api, open } }) => {
    beMember(api);
    api.on('GET /v1/workspace', ok({ workspace: workspaceOf() }));
    await open('/settings');
    await page.getByText(/^Europe\/Berlin \(Now \d\d:\d\d, GMT\+[12]\)$/).waitFor();
    await page.getByText('Only owners change the name and the time zone.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });

  for (const [usedBytes, says] of [
    [0.5 * gib, '512 MiB of 10 GiB used, 9.5 GiB left'],
    [9.25 * gib, 'Storage is nearly full'],
    [10 * gib, 'Storage is full'],
    [11.5 * gib, '11.5 GiB of 10 GiB used, 1.5 GiB more than the quota'],
  ] as const) {
    panelTest(`say of ${usedBytes} bytes: ${says}`, async ({ panel: { page, api, open } }) => {
      api.on(
        'GET /v1/workspace',
        ok({ workspace: workspaceOf({ storage: { usedBytes, quotaBytes: 10 * gib } }) }),
      );
      await open('/settings');
      const meter = page.getByRole('meter');
      const spoken = await meter.getAttribute('aria-valuetext');
      expect(`${spoken} ${await page.getByRole('region', { name: 'Storage' }).innerText()}`).toContain(says);
    });
  }

  panelTest('fit into 320 px with a long name, and copy the id', async ({ panel: { page, api, open } }) => {
    const me = meOf();
    api
      .on(
        'GET /panel/me',
        ok({ ...me, workspaces: me.workspaces.map((each) => ({ ...each, name: hostile.long })) }),
      )
      .on('GET /v1/workspace', ok({ workspace: workspaceOf({ name: hostile.long }) }));
    await page.setViewportSize({ width: 320, height: 700 });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/settings');
    await page.getByRole('button', { name: 'Copy workspace id' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(workspaceOf().id);
    expect(await scrollsSideways(page)).toBe(false);
  });

  panelTest(
    'say why they did not load, and load when asked again',
    async ({ panel: { page, api, open } }) => {
      api.on('GET /v1/workspace', refusal(500, 'internal', 'internal error'));
      await open('/settings');
      await page.getByRole('heading', { name: 'This did not load' }).waitFor();
      expect(await page.getByRole('alert').innerText()).toContain(requestId);
      api.on('GET /v1/workspace', ok({ workspace: workspaceOf() }));
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
    },
  );
});

describe('the preferences', () => {
  panelTest('set theme and single keys in this browser', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/members', ok({ members: [] }));
    await open('/settings/preferences');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.getByRole('button', { name: 'Show all shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: /Single-key shortcuts/ }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => localStorage['single-key-shortcuts'])).toBe('off');
    expect(await violationsIn(page)).toEqual([]);
  });
});
