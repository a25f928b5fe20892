import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { disconnectAccountOperation } from '../../../lib/accounts/operations.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import {
  hostile,
  inDays,
  instagram,
  linkedin,
  noConsequences,
  pinterest,
  postFor,
  replyOf,
  rhythm,
  rhythmReply,
  savedRhythm,
  serveAccounts,
  some,
  threads,
  tiktok,
  youtube,
} from '../../panel/support/accounts.ts';
import { dateField, enterTime } from '../../panel/support/date-fields.ts';
import { ok, refusal } from '../../panel/support/fake-api.ts';
import { idOf } from '../../panel/support/ids.ts';
import { meOf, newYork, panelTest, scrollsSideways, violationsIn } from '../../panel/support/panel.ts';

const readRhythm = 'GET /v1/accounts/{id}/rhythm';
const setRhythm = 'PUT /v1/accounts/{id}/rhythm';
const preview = 'GET /v1/accounts/{id}/disconnect-preview';
/** The person comes back to the tab: the page reads again what it shows. */
const lookAgain = (page: Page) =>
  page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the page of an account', () => {
  panelTest('shows who it is, what it can do, and what is planned', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api, {
      posts: [postFor(1, instagram, inDays(3))],
      preview: { ...noConsequences, scheduledTargets: 12, activeAutomations: 2 },
    });
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('heading', { level: 1, name: 'Nordlicht Kaffee' }).waitFor();
    expect(await page.title()).toBe('Nordlicht Kaffee · Nordlicht · Herald');
    await expect
      .poll(() => region(page, 'Planned').innerText())
      .toMatch(/12[\s\S]*In 2 days[\s\S]*Active automations\n2/);
    const details = await region(page, 'Details').innerText();
    expect(details).toContain(instagram.id);
    // 9:30 in UTC, in the workspace's zone.
    expect(details).toContain('12 Jan 2026, 10:30 CET');
    expect(details).toContain('Not needed: its access is renewed automatically.');
    expect(await region(page, 'What it can do').getByRole('listitem').count()).toBe(3);
    await expect
      .poll(() => region(page, 'Queue of posts planned in the panel').innerText())
      .toContain('1 Jul 2026, 09:00 CEST');
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('says why it has no access, and what fails because of that', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api, { preview: { ...noConsequences, scheduledTargets: 3 } });
    await open(`/accounts/${tiktok.id}`);
    await page.getByText('Herald has no access to this account').waitFor();
    await page.getByText('The refresh token is invalid (invalid_grant)').waitFor();
    await page.getByText('3 posts are scheduled to this account.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('dialog', { name: 'Reconnect Nordlicht TikTok' }).waitFor();
  });

  panelTest('says what a restriction means, and until when it has access', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api);
    await open(`/accounts/${threads.id}`);
    await page.getByText('The platform has restricted this account').waitFor();
    await page.getByText('The account is restricted (368), while publishing a post').waitFor();
    await open(`/accounts/${linkedin.id}`);
    await page.getByText('Access ends soon').waitFor();
    expect(await page.getByText('customer-4711').count()).toBe(1);
  });

  panelTest('says if there is no such account, or none any more', async ({ panel: { page, api, open } }) => {
    serveAccounts(api);
    await open(`/accounts/${idOf(99)}`);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('heading', { level: 1, name: 'Nordlicht Kaffee' }).waitFor();
    serveAccounts(api, { accounts: [] });
    await lookAgain(page);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  });

  panelTest('shows hostile names as text, and never scrolls sideways', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api, { accounts: hostile, preview: { ...noConsequences, scheduledTargets: 1 } });
    for (const width of [320, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const { id } of hostile) {
        await open(`/accounts/${id}`);
        await region(page, 'Details').waitFor();
        await page.getByText('1 Jul 2026').first().waitFor();
        expect(await scrollsSideways(page), `${id} at ${width}`).toBe(false);
      }
    }
  });
});

describe('the rhythm of an account', () => {
  panelTest('is changed and saved from the keyboard', async ({ panel: { page, api, open } }) => {
    serveAccounts(api);
    let saved = rhythm;
    api
      .on(readRhythm, () => rhythmReply(saved))
      .on(setRhythm, ({ body }) => {
        saved = Rhythm.parse(body);
        return savedRhythm(saved);
      });
    await open(`/accounts/${instagram.id}`);
    const cap = page.getByRole('textbox', { name: 'Posts a day, at most' });
    await cap.fill('5');
    await page.getByRole('textbox', { name: 'Minutes between them' }).fill('90');
    await page.getByText('1.5 h').waitFor();
    await enterTime(dateField(page, 'To'), '02:00');
    await page.getByText('The day after, because it is earlier than “From”.').waitFor();
    await page.getByRole('button', { name: 'Use Europe/Berlin' }).press('Enter');
    await cap.press('Enter');
    await page.getByRole('region', { name: 'Notices' }).getByText('Queue saved').waitFor();
    await expect
      .poll(() => api.to(setRhythm).map(({ body }) => body))
      .toEqual([
        {
          dayWindow: { from: '09:00', to: '02:00' },
          timezone: 'Europe/Berlin',
          dailyCap: 5,
          gapMinutes: 90,
          collisionBufferMinutes: 15,
        },
      ]);
    // The slots are read again.
    await expect.poll(() => api.to('GET /v1/accounts/{id}/slots').length).toBe(2);
    await expect.poll(() => page.getByRole('button', { name: 'Discard changes' }).count()).toBe(0);
  });

  panelTest(
    'refuses numbers that the service refuses, at the field',
    async ({ panel: { page, api, open } }) => {
      serveAccounts(api).on(
        setRhythm,
        refusal(400, 'field_format', 'timezone: must be an IANA time zone', [
          { param: 'timezone', message: 'must be an IANA time zone, such as Europe/Istanbul' },
        ]),
      );
      await open(`/accounts/${instagram.id}`);
      const cap = page.getByRole('textbox', { name: 'Posts a day, at most' });
      for (const wrong of ['0', '101', '2.5', '']) {
        await cap.fill(wrong);
        await page.getByRole('button', { name: 'Save queue' }).click();
        await expect.poll(() => cap.getAttribute('aria-invalid')).toBe('true');
      }
      expect(api.to(setRhythm)).toEqual([]);
      await cap.fill('4');
      await page.getByRole('button', { name: 'Save queue' }).click();
      await page.getByText('Must be an IANA time zone, such as Europe/Istanbul.').waitFor();
      // The field has the focus and shows its list.
      await page.keyboard.press('Escape');
      expect(await violationsIn(page)).toEqual([]);
      expect(await cap.inputValue()).toBe('4');
    },
  );

  panelTest('keeps what is typed while it is read again, and says if it changed', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api);
    await open(`/accounts/${instagram.id}`);
    const cap = page.getByRole('textbox', { name: 'Posts a day, at most' });
    await cap.fill('7');
    api.on(readRhythm, rhythmReply({ ...rhythm, gapMinutes: 30 }));
    await lookAgain(page);
    await page.getByText('It was changed elsewhere meanwhile.').waitFor();
    expect(await cap.inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await cap.inputValue()).toBe('3');
    expect(await page.getByRole('textbox', { name: 'Minutes between them' }).inputValue()).toBe('30');
  });

  panelTest('loses nothing that is typed when the session ends', async ({ panel: { page, api, open } }) => {
    serveAccounts(api).on(setRhythm, refusal(401, 'session_ended', 'the session has ended'));
    api.on('GET /panel/sign-in', () => {
      api.on(setRhythm, ({ body }) => savedRhythm(body));
      return { status: 303, headers: { location: '/signed-in' } };
    });
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('textbox', { name: 'Posts a day, at most' }).fill('9');
    await page.getByRole('button', { name: 'Save queue' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await page.getByLabel('Posts a day, at most').inputValue()).toBe('9');
    await Promise.all([page.waitForEvent('popup'), dialog.getByRole('button', { name: 'Sign in' }).click()]);
    await page.getByRole('region', { name: 'Notices' }).getByText('Queue saved').waitFor();
    await expect.poll(() => api.to(setRhythm).map(({ body }) => (body as Rhythm).dailyCap)).toEqual([9, 9]);
  });

  panelTest('says why it or its slots did not load', async ({ panel: { page, api, open } }) => {
    serveAccounts(api).on(readRhythm, refusal(500, 'internal', 'an error of this service'));
    await open(`/accounts/${instagram.id}`);
    const part = region(page, 'Queue of posts planned in the panel');
    await part.getByText('An error of this service.').waitFor();
    serveAccounts(api).on('GET /v1/accounts/{id}/slots', ok({ timezone: 'UTC', slots: [] }));
    await part.getByRole('button', { name: 'Try again' }).click();
    await part.getByText('No slot is free within 90 days.').waitFor();
  });
});

describe('boards and playlists', () => {
  panelTest('are listed as the platform has them, and can be searched', async ({ panel }) => {
    const { page, api, open } = panel;
    serveAccounts(api);
    await open(`/accounts/${pinterest.id}`);
    const boards = region(page, 'Boards');
    await boards.getByText('150 boards').waitFor();
    await boards.getByText('And 50 more boards: search to find them.').waitFor();
    await boards.getByRole('searchbox').fill('winter');
    expect(await boards.getByRole('listitem').allInnerTexts()).toEqual(['Winter']);
    expect(await violationsIn(page)).toEqual([]);
    await open(`/accounts/${youtube.id}`);
    await region(page, 'Playlists').getByText('12 videos · public').waitFor();
    await open(`/accounts/${instagram.id}`);
    await region(page, 'Details').waitFor();
    expect(await region(page, 'Boards').count()).toBe(0);
  });

  panelTest('are shown as they were if Pinterest does not answer', async ({ panel: { page, api, open } }) => {
    serveAccounts(api).on('GET /v1/accounts/{id}/boards', {
      ...refusal(503, 'platform_unavailable', 'Pinterest did not answer'),
      headers: { 'retry-after': '60' },
    });
    await open(`/accounts/${pinterest.id}`);
    const boards = region(page, 'Boards');
    await boards.getByText('Pinterest did not answer.').waitFor();
    await boards.getByText('These are the boards as they were read last.').waitFor();
    expect(await boards.getByRole('listitem').allInnerTexts()).toEqual(['Rezepte']);
    serveAccounts(api);
    await boards.getByRole('button', { name: 'Read again' }).click();
    await boards.getByText('150 boards').waitFor();
  });
});

describe('disconnecting an account', () => {
  const consequences = {
    scheduledTargets: 12,
    waitingChainSteps: 2,
    activeAutomations: 1,
    revokesAccess: false,
    accountsOfSameLogin: some
      .slice(0, 6)
      .map(({ id, platform, username, displayName }) => ({ id, platform, username, displayName })),
  };

  panelTest('says what stops, and needs a confirmation', async ({ panel: { page, api, open } }) => {
    serveAccounts(api, { preview: consequences }).on('DELETE /v1/accounts/{id}', () => {
      serveAccounts(api, { accounts: [linkedin] });
      return replyOf(disconnectAccountOperation, {
        ok: true,
        scheduledTargets: 12,
        waitingChainSteps: 2,
        warnings: [],
      });
    });
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('button', { name: 'Disconnect…' }).press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Disconnect Nordlicht Kaffee?' });
    await dialog.getByText('12 scheduled posts: they fail at their times').waitFor();
    await dialog.getByText('2 steps of chains that wait: they fail when their turn comes').waitFor();
    await dialog.getByText('1 active automation: it does nothing').waitFor();
    await dialog.getByText('The permission at the platform stays').waitFor();
    await dialog.getByText('And 1 more account.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    const button = dialog.getByRole('button', { name: 'Disconnect account' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'Yes, disconnect “Nordlicht Kaffee”' }).press('Space');
    await button.press('Enter');
    await page
      .getByRole('region', { name: 'Notices' })
      .getByText('Nordlicht Kaffee is disconnected')
      .waitFor();
    await page.waitForURL('**/accounts');
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(1);
    await expect
      .poll(() => api.to('DELETE /v1/accounts/{id}').map(({ path }) => path))
      .toEqual([`/v1/accounts/${instagram.id}`]);
  });

  panelTest('is possible only if one can see what it stops', async ({ panel: { page, api, open } }) => {
    serveAccounts(api).on(preview, refusal(500, 'internal', 'an error of this service'));
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('button', { name: 'Disconnect…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('What this would stop could not be read').waitFor();
    expect(await dialog.getByRole('button', { name: 'Disconnect account' }).isDisabled()).toBe(true);
    serveAccounts(api);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('Nothing is planned for this account').waitFor();
  });

  panelTest('says why the account is still connected', async ({ panel: { page, api, open } }) => {
    serveAccounts(api).on('DELETE /v1/accounts/{id}', refusal(500, 'internal', 'an error of this service'));
    await open(`/accounts/${instagram.id}`);
    await page.getByRole('button', { name: 'Disconnect…' }).click();
    await page.getByRole('checkbox').press('Space');
    await page.getByRole('button', { name: 'Disconnect account' }).click();
    await page.getByRole('alertdialog').getByText('The account is still connected').waitFor();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).pathname).toBe(`/accounts/${instagram.id}`);
  });

  panelTest('is for owners', async ({ panel: { page, api, open } }) => {
    const me = meOf();
    api.on('GET /panel/me', ok({ ...me, workspaces: me.workspaces.filter(({ id }) => id === newYork) }));
    serveAccounts(api);
    await open(`/accounts/${instagram.id}`);
    await page.getByText('Only owners of the workspace can disconnect accounts.').waitFor();
    expect(await page.getByRole('button', { name: 'Disconnect…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
  });
});
