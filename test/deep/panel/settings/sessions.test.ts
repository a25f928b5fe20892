import { describe, expect } from 'vitest';
import { agents, hostile, sessionOf } from '../../../panel/settings/support/data.ts';
import { ok, refusal } from '../../../panel/support/fake-api.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const path = '/settings/sessions';
const here = sessionOf(1, { isThis: true });
const phone = sessionOf(2, { browser: agents.safari, signedInAt: '2026-03-01T07:00:00.000Z' });
const office = sessionOf(3, { browser: agents.edge });
const nothing = { status: 204 };

describe('the sessions of a person', () => {
  panelTest('are listed, this one first', async ({ panel: { page, api, open } }) => {
    api.on('GET /panel/sessions', ok({ sessions: [phone, here, office] }));
    await open(path);
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await rows.nth(3).waitFor();
    const texts = (await rows.allInnerTexts()).slice(1);
    expect(texts[0]).toMatch(/Firefox 141 on Linux\s+This session[\s\S]+In use\s+Sign out/);
    expect(texts[1]).toMatch(/Safari 19 on iPhone[\s\S]+1 Mar 2026, 08:00 CET/);
    expect(texts[2]).toMatch(/Edge 142 on Windows[\s\S]+2 Mar 2026, 10:00 CET[\s\S]+End session/);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('end one by one, by keyboard', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/sessions', ok({ sessions: [here, phone, office] }))
      .on('DELETE /panel/sessions/{id}', () => {
        api.on('GET /panel/sessions', ok({ sessions: [here, office] }));
        return nothing;
      });
    await open(path);
    await page.getByRole('button', { name: 'End session: Safari 19 on iPhone' }).press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'End this session?' });
    await dialog.getByText(/^Safari 19 on iPhone is signed out with its next request/).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Session ended').waitFor();
    await page.getByText('Safari 19 on iPhone').waitFor({ state: 'detached' });
    await expect
      .poll(() => api.to('DELETE /panel/sessions/{id}').map(({ path }) => path))
      .toEqual([`/panel/sessions/${phone.id}`]);
  });

  panelTest('end all but this one', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/sessions', ok({ sessions: [here, phone, office] }))
      .on('DELETE /panel/sessions', () => {
        api.on('GET /panel/sessions', ok({ sessions: [here] }));
        return nothing;
      });
    await open(path);
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'End 2 other sessions?' });
    await dialog.getByRole('button', { name: 'Sign out all others' }).click();
    await page.getByText('You are signed in only here.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out all others' }).count()).toBe(0);
    await expect.poll(() => api.to('DELETE /panel/sessions')).toHaveLength(1);
  });

  panelTest('stay if that fails, and the dialog says why', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/sessions', ok({ sessions: [here, phone] }))
      .on('DELETE /panel/sessions/{id}', refusal(500, 'internal', 'internal error'));
    await open(path);
    await page.getByRole('button', { name: /^End session/ }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'End session' }).click();
    await dialog.getByRole('alert').getByText('Internal error.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  panelTest('end here by signing out', async ({ panel: { page, api, open } }) => {
    api
      .on('GET /panel/sessions', ok({ sessions: [here] }))
      .on('POST /panel/sign-out', ok({ signOutUrl: null }));
    await open(path);
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.waitForURL('**/signed-out');
  });

  panelTest('may be of browsers that say anything', async ({ panel: { page, api, open } }) => {
    const unknown = ['', hostile.markup, 'x'.repeat(200)].map((browser, place) =>
      sessionOf(10 + place, { browser }),
    );
    api.on('GET /panel/sessions', ok({ sessions: [here, ...unknown] }));
    await page.setViewportSize({ width: 320, height: 700 });
    await open(path);
    await page.getByText(hostile.markup).waitFor();
    expect(await page.getByText('Unknown browser').count()).toBe(3);
    expect(await scrollsSideways(page)).toBe(false);
    expect(await violationsIn(page)).toEqual([]);
  });
});
