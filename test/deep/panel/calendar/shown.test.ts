import { describe, expect } from 'vitest';
import { instagram, linkedin, threads } from '../../../panel/support/accounts.ts';
import { FakePosts } from '../../../panel/support/calendar.ts';
import {
  card,
  dayOf,
  focused,
  inBerlin,
  planned,
  shiftOf,
  shownAt,
  start,
  textOf,
} from '../../../panel/support/calendar-page.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';
import { targetOf } from '../../../panel/support/posts.ts';
import { drag } from '../../../support/drag.ts';

describe('what the calendar shows', () => {
  panelTest('begins with this week in sight, late in a month too', async ({ panel }) => {
    const { page, open, api, setTime } = panel;
    new FakePosts(api, []);
    await page.setViewportSize({ width: 1_280, height: 700 });
    await setTime('2026-11-30T10:10:00.000Z');
    await open('/calendar');
    const today = dayOf(page, 'Monday 30 November');
    await today.waitFor();
    await expect
      .poll(async () => {
        const box = await today.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 700;
      })
      .toBe(true);
  });

  panelTest('shows a month with time, account, words, picture and state', async ({ panel }) => {
    const { page } = panel;
    await page.route('https://media.test/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    await start(panel, [
      planned(1, '2026-11-03', '23:30', {
        status: 'published',
        mediaItems: [{ type: 'image', url: 'https://media.test/1.svg' }],
      }),
      planned(2, '2026-11-19', '09:00'),
      planned(3, '2026-11-19', '10:00', { status: 'draft' }),
      planned(4, '2026-11-19', '11:00'),
      planned(5, '2026-11-19', '12:00'),
      planned(6, '2026-11-12', '12:00', { status: 'failed' }),
      planned(7, '2026-12-06', '23:59'),
    ]);
    await page.getByRole('heading', { name: 'November 2026' }).waitFor();
    await page.getByText('7 posts').waitFor();
    await page
      .getByText('Times are those of Europe/Berlin (CET). Your own clock (UTC) shows other times.')
      .waitFor();
    expect(await textOf(card(dayOf(page, 'Tuesday 3 November'), 'Post 1'))).toMatch(
      /23:30 CET ?Published ?Post 1|23:30 CET ?Published.*Instagram: Nordlicht Kaffee ?Post 1/,
    );
    expect(await shownAt(page, 'Post 7')).toEqual(['2026-12-06', '23:59']);
    expect(await card(page, 'Post 1').locator('img').getAttribute('loading')).toBe('lazy');
    expect(await shiftOf(page)).toBeLessThan(0.05);
    // What is out stays where it is.
    const draggable = (text: string) =>
      page
        .locator('li')
        .filter({ has: card(page, text) })
        .getAttribute('draggable');
    expect(await draggable('Post 1')).not.toBe('true');
    expect(await draggable('Post 6')).not.toBe('true');
    expect(await draggable('Post 2')).toBe('true');
    expect(await violationsIn(page)).toEqual([]);

    await page.getByRole('button', { name: /more on Thursday 19 November/ }).click();
    await page.waitForURL('**/calendar?view=day&day=2026-11-19');
    await page.getByRole('heading', { name: 'Thursday, 19 November 2026' }).waitFor();
    await expect.poll(() => page.locator('[data-entry]').count()).toBe(4);
    await expect
      .poll(() => textOf(card(page, 'Post 5')))
      .toBe('12:00 CET 11:00 your time Post 5 Nordlicht Kaffee Instagram: Nordlicht Kaffee Scheduled');
    await page.goBack();
    await dayOf(page, 'Thursday 19 November').waitFor();
    expect(
      await page.getByRole('link', { name: 'New post on Friday 20 November' }).getAttribute('href'),
    ).toBe('/compose?at=2026-11-20T09:00');
    expect(await page.getByRole('link', { name: 'New post on Tuesday 3 November' }).count()).toBe(0);
  });

  panelTest('is narrowed by account, platform and state, which the URL keeps', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [
      planned(1, '2026-11-19', '10:00'),
      planned(2, '2026-11-20', '10:00', { platforms: [targetOf(threads)] }),
      planned(3, '2026-11-21', '10:00', { status: 'draft' }),
    ]);
    await page.getByText('3 posts').waitFor();
    // What is typed before the field and its choices are there is lost.
    await expect.poll(() => textOf(card(page, 'Post 1'))).toContain('Nordlicht Kaffee');
    await page.keyboard.press('/');
    const account = page.getByRole('combobox', { name: 'Account' });
    await expect.poll(() => account.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('kaffee');
    await page.getByRole('option', { name: 'Nordlicht Kaffee' }).click();
    await page.getByText('2 of 3 posts').waitFor();
    expect(new URL(page.url()).searchParams.get('account')).toBe(instagram.id);
    await page.getByRole('button', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Failed', exact: true }).click();
    await page.getByText('No post matches the filters.').waitFor();
    await page.getByRole('search').getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('3 posts').waitFor();
    await page.goto(`${new URL(page.url()).origin}/calendar?platform=threads&view=week&day=nonsense`);
    await page.getByText('1 of 3 posts').waitFor();
    await page.getByRole('heading', { name: /^16.+22 November 2026$/ }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Agenda' }).click();
    await page.waitForURL('**view=agenda**');
    await page.getByRole('heading', { name: 'Friday 20 November' }).waitFor();
  });

  panelTest('offers the next step where nothing is planned', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, []);
    await page.getByText('Nothing is planned in November 2026.').waitFor();
    expect(
      await page.getByRole('main').getByRole('link', { name: 'New post', exact: true }).getAttribute('href'),
    ).toBe('/compose?at=2026-11-18T12:00');
    new FakePosts(api, [], []);
    await panel.open('/calendar?view=week');
    await page.getByRole('link', { name: 'Connect an account' }).click();
    await page.waitForURL('**/accounts');
  });

  panelTest('shows the coming 30 days as an agenda, also on the last day of a month', async ({ panel }) => {
    const { page } = panel;
    await start(
      panel,
      [
        planned(1, '2026-11-29', '10:00'),
        planned(2, '2026-12-02', '10:00'),
        planned(3, '2027-01-02', '10:00'),
      ],
      '/calendar?view=agenda',
      '2026-11-30T10:10:00.000Z',
    );
    await page.getByRole('heading', { name: /^30 November.+29 December 2026$/ }).waitFor();
    await card(page, 'Post 2').waitFor();
    expect(await page.locator('[data-entry]').count()).toBe(1);
    // What follows, and back to what was before.
    await page.getByRole('main').getByRole('button', { name: 'Next 30 days' }).last().click();
    await page.waitForURL('**day=2026-12-30');
    await card(page, 'Post 3').waitFor();
    await expect.poll(() => focused(page)).toBe('Wednesday 30 December');
    await page.reload();
    await card(page, 'Post 3').waitFor();
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await card(page, 'Post 2').waitFor();
    expect(new URL(page.url()).searchParams.has('day')).toBe(false);
    await page.getByRole('button', { name: 'Previous 30 days' }).click();
    await page.waitForURL('**day=2026-10-31');
    await card(page, 'Post 1').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest(
    'shows destinations on their days, however far these are from the time of the post',
    async ({ panel }) => {
      const { page, api } = panel;
      const staggered = (number: number, day: string, own: string) =>
        planned(number, day, '10:00', {
          platforms: [
            targetOf(instagram, { scheduledFor: inBerlin(day, '10:00') }),
            targetOf(linkedin, { scheduledFor: inBerlin(own, '12:00') }),
          ],
        });
      await start(panel, [
        staggered(1, '2026-09-20', '2026-11-19'),
        staggered(2, '2027-01-11', '2026-11-20'),
        planned(3, '2026-09-21', '10:00'),
      ]);
      await page.getByText('2 posts', { exact: true }).waitFor();
      expect(await shownAt(page, 'Post 1')).toEqual(['2026-11-19', '12:00']);
      expect(await shownAt(page, 'Post 2')).toEqual(['2026-11-20', '12:00']);
      // Such a destination moves by itself.
      await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
      await page.getByText('Moved 1 of 2 destinations to 21 Nov 2026, 12:00 CET.').waitFor();
      await expect
        .poll(() => api.to('PATCH /v1/posts/{id}').at(-1)?.body)
        .toMatchObject({
          platforms: [
            { scheduledFor: inBerlin('2026-09-20', '10:00') },
            { scheduledFor: inBerlin('2026-11-21', '12:00') },
          ],
        });
    },
  );
});
