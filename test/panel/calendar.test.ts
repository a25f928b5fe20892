import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { drag } from '../support/drag.ts';
import { hostile, instagram, linkedin, many, threads } from './support/accounts.ts';
import { FakePosts } from './support/calendar.ts';
import { refusal, requestId } from './support/fake-api.ts';
import { type Panel, panelTest, scrollsSideways, violationsIn } from './support/panel.ts';
import { listedPostOf, targetOf } from './support/posts.ts';

const now = '2026-11-18T10:10:00.000Z';
type Listed = ReturnType<typeof listedPostOf>;

/** A post to one account, with its time on Berlin's clocks in winter. */
function planned(
  number: number,
  day: string,
  time: string,
  changes: Parameters<typeof listedPostOf>[1] = {},
): Listed {
  const scheduledFor = new Date(`${day}T${time}:00+01:00`).toISOString();
  const status = changes.status ?? 'scheduled';
  return listedPostOf(number, {
    content: `Post ${number}`,
    scheduledFor,
    platforms: [targetOf(instagram, { scheduledFor, status })],
    ...changes,
  });
}

async function start(
  { page, api, open, setTime }: Panel,
  posts: readonly Listed[],
  path = '/calendar',
  at = now,
) {
  const fake = new FakePosts(api, posts);
  // The mouse reaches all of a month.
  await page.setViewportSize({ width: 1_280, height: 1_300 });
  await setTime(at);
  await open(path);
  return fake;
}

const dayOf = (page: Page, name: string) =>
  page.getByRole('gridcell').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}\\b`) }) });
const card = (scope: Page | Locator, text: string) => scope.locator('[data-entry]').filter({ hasText: text });
const textOf = async (locator: Locator) => (await locator.innerText()).replace(/\s+/g, ' ');
/** The day and the time that the calendar shows for a post. */
const shownAt = (page: Page, text: string) =>
  card(page, text).evaluate((link) => [
    link.closest<HTMLElement>('[data-day]')?.dataset['day'],
    link.querySelector('time')?.firstChild?.textContent,
  ]);

/** How much the page has jumped while it was loading. */
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
            sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );

describe('the calendar', () => {
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

  panelTest('moves a post to another day by dragging it, and back by Undo', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [
      planned(1, '2026-11-19', '23:59'),
      planned(2, '2026-11-20', '10:00', { status: 'draft' }),
    ]);
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    await page.getByText('Moved to 21 Nov 2026, 23:59 CET.').waitFor();
    expect(await shownAt(page, 'Post 1')).toEqual(['2026-11-21', '23:59']);
    expect(api.to('PATCH /v1/posts/{id}').map(({ body }) => body)).toEqual([
      { scheduledFor: '2026-11-21T22:59:00.000Z' },
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-19', '23:59']);
    await page.getByText('Moved to 19 Nov 2026, 23:59 CET.').waitFor();
    // A draft stays one.
    await drag(page, card(page, 'Post 2'), dayOf(page, 'Sunday 22 November'));
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').at(-1)?.body)
      .toEqual({
        scheduledFor: '2026-11-22T09:00:00.000Z',
        isDraft: true,
      });
  });

  panelTest('refuses the past, and puts a post back that the service does not move', async ({ panel }) => {
    const { page, api } = panel;
    const fake = await start(panel, [planned(1, '2026-11-19', '10:00')]);
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Tuesday 17 November'));
    const past = page.getByRole('alert').filter({ hasText: '“Post 1” stays on 19 Nov 2026, 10:00 CET' });
    expect(await textOf(past)).toContain('17 Nov 2026, 10:00 CET is in the past.');
    await past.getByRole('button', { name: 'Dismiss' }).click();
    expect(api.to('PATCH /v1/posts/{id}')).toHaveLength(0);

    api.on('PATCH /v1/posts/{id}', () => {
      fake.posts = [planned(1, '2026-11-19', '10:00', { status: 'published', updatedAt: now })];
      return refusal(409, 'post_live', 'the post cannot be changed: a destination is published');
    });
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    const reason = page.getByRole('alert').filter({ hasText: 'a destination is published' });
    await reason.getByText(requestId).waitFor();
    expect(await shownAt(page, 'Post 1')).toEqual(['2026-11-19', '10:00']);
    // It is read again, so the card says why too.
    await card(page, 'Post 1').getByText('Published').waitFor();
    await reason.getByRole('link', { name: 'Open the post' }).click();
    await page.waitForURL(/\/posts\/00000000/);
  });

  panelTest(
    'says that the clocks skip a time, and keeps the own times of other destinations',
    async ({ panel }) => {
      const { page, api } = panel;
      const later = '2026-03-31T08:00:00.000Z';
      const at = '2026-03-28T01:30:00.000Z';
      await start(
        panel,
        [
          planned(1, '2026-03-28', '02:30', {
            scheduledFor: at,
            platforms: [
              targetOf(instagram, { scheduledFor: at }),
              targetOf(linkedin, { scheduledFor: later }),
            ],
          }),
        ],
        '/calendar?day=2026-03-28',
        '2026-03-02T08:00:00.000Z',
      );
      await page.getByText('(CET, then CEST)').waitFor();
      await drag(page, card(dayOf(page, 'Saturday 28 March'), 'Post 1'), dayOf(page, 'Sunday 29 March'));
      await page
        .getByText(
          'Moved 1 of 2 destinations to 29 Mar 2026, 03:30 CEST. The clocks skip 02:30 on that day: they go forward.',
        )
        .waitFor();
      expect(api.to('PATCH /v1/posts/{id}').at(-1)?.body).toMatchObject({
        platforms: [
          { accountId: instagram.id, scheduledFor: '2026-03-29T01:30:00.000Z' },
          { accountId: linkedin.id, scheduledFor: later },
        ],
      });
      expect(await card(dayOf(page, 'Tuesday 31 March'), 'Post 1').count()).toBe(1);
      await expect
        .poll(() => card(dayOf(page, 'Sunday 29 March'), 'Post 1').locator('time').innerText())
        .toContain('03:30');
    },
  );

  panelTest('is a grid for the keyboard alone', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00'), planned(2, '2026-11-19', '12:00')]);
    await card(page, 'Post 1').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.press('t');
    await expect.poll(focused).toBe('Wednesday 18 November, today, no posts');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Thursday 19 November, 2 posts');
    await page.keyboard.press('End');
    expect(await focused()).toMatch(/^Sunday 22 November/);
    await page.keyboard.press('PageDown');
    await expect.poll(focused).toMatch(/^Tuesday 22 December/);
    await page.getByRole('heading', { name: 'December 2026' }).waitFor();
    await page.keyboard.press('PageUp');
    await expect.poll(focused).toMatch(/^Sunday 22 November/);
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter', 'ArrowDown'])
      await page.keyboard.press(key);
    expect(await focused()).toContain('Post 2');

    // Three steps in a row are one request, and the focus stays on the post.
    for (let step = 0; step < 3; step++) await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('Moved to 19 Nov 2026, 12:45 CET.').waitFor();
    expect(await focused()).toContain('Post 2');
    await page.keyboard.press('Alt+ArrowRight');
    await page.getByText('Moved to 20 Nov 2026, 12:45 CET.').waitFor();
    expect(await shownAt(page, 'Post 2')).toEqual(['2026-11-20', '12:45']);
    expect(api.to('PATCH /v1/posts/{id}')).toHaveLength(2);

    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Move “Post 2”' });
    await dialog.getByLabel('Time', { exact: true }).fill('08:05');
    await dialog.getByLabel('Date', { exact: true }).fill('2026-11-17');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.getByText('This time is in the past. Choose a later one.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByLabel('Date', { exact: true }).fill('2026-11-24');
    await page.keyboard.press('Enter');
    await expect.poll(() => shownAt(page, 'Post 2')).toEqual(['2026-11-24', '08:05']);
    await expect.poll(focused).toContain('Post 2');

    // Picked up with Space, put down with Enter on another day.
    await page.keyboard.press('Space');
    await expect.poll(focused).toMatch(/^Tuesday 24 November/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^Thursday 26 November/);
    await page.keyboard.press('Enter');
    await expect.poll(() => shownAt(page, 'Post 2')).toEqual(['2026-11-26', '08:05']);
    await expect.poll(focused).toContain('Post 2');
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.waitForURL(/\/compose\?at=2026-11-26T09(:|%3A)00$/);
  });

  panelTest('is narrowed by account, platform and state, which the URL keeps', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [
      planned(1, '2026-11-19', '10:00'),
      planned(2, '2026-11-20', '10:00', { platforms: [targetOf(threads)] }),
      planned(3, '2026-11-21', '10:00', { status: 'draft' }),
    ]);
    await page.getByText('3 posts').waitFor();
    await page.keyboard.press('/');
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

  panelTest('gives a draft without a time one, and copies posts', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [
      planned(1, '2026-11-19', '10:00'),
      listedPostOf(2, {
        content: 'Idea',
        status: 'draft',
        platforms: [targetOf(instagram, { status: 'draft' })],
      }),
    ]);
    await page.getByRole('button', { name: 'Drafts without a time' }).click();
    const tray = page.getByRole('region', { name: 'Drafts without a time' });
    await card(tray, 'Idea').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await drag(page, card(tray, 'Idea'), dayOf(page, 'Friday 20 November'));
    await page.getByText('Moved to 20 Nov 2026, 09:00 CET.').waitFor();
    expect(api.to('PATCH /v1/posts/{id}').at(-1)?.body).toEqual({
      scheduledFor: '2026-11-20T08:00:00.000Z',
      isDraft: true,
    });
    await tray.getByText('Every draft has a time, or there is none.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card(tray, 'Idea').waitFor();
    await expect.poll(() => api.to('PATCH /v1/posts/{id}').at(-1)?.body).toEqual({ scheduledFor: null });

    await card(page, 'Post 1').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByText('Duplicated as a draft.').waitFor();
    await expect.poll(() => card(dayOf(page, 'Thursday 19 November'), 'Post 1').count()).toBe(2);
  });

  panelTest('does not say that a post stays if nobody knows, and shows it where it is', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    api.around('PATCH /v1/posts/{id}', async (reply) => ({ ...(await reply), isDropped: true }));
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    const note = page.getByRole('alert').filter({ hasText: 'Post 1' });
    expect(await textOf(note)).toContain('“Post 1” may have been moved to 21 Nov 2026, 10:00 CET');
    await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-21', '10:00']);
  });

  panelTest(
    'makes one copy although the reply was lost, and another one when asked again',
    async ({ panel }) => {
      const { page, api } = panel;
      const fake = await start(panel, [planned(1, '2026-11-19', '10:00'), planned(2, '2026-11-20', '10:00')]);
      const copies = () =>
        fake.posts.filter(({ content, status }) => content === 'Post 1' && status === 'draft').length;
      const duplicate = async (text: string) => {
        await card(page, text).first().focus();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      };
      let lost = 4;
      api.around('POST /v1/posts/{id}/duplicate', async (reply) => {
        lost -= 1;
        return lost >= 0 ? { ...(await reply), isDropped: true } : reply;
      });
      await duplicate('Post 1');
      const failure = page.getByRole('alert').filter({ hasText: '“Post 1” may have been duplicated' });
      await failure.waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Duplicated as a draft.').waitFor();
      expect(copies()).toBe(1);
      // Each of two that are on their way at the same time is done.
      const gate = Promise.withResolvers<void>();
      api.around('POST /v1/posts/{id}/duplicate', async (reply, { path }) => {
        if (path.includes(String(fake.posts[0]?.id))) await gate.promise;
        return reply;
      });
      await duplicate('Post 1');
      await duplicate('Post 2');
      gate.resolve();
      await expect.poll(copies).toBe(2);
      await expect.poll(() => page.getByText('Duplicated as a draft.').count()).toBe(3);
      await duplicate('Post 1');
      await expect.poll(copies).toBe(3);
    },
  );

  panelTest('stays quick with 2,000 posts, and shows how far the reading has come', async ({ panel }) => {
    const { page, api } = panel;
    const gate = Promise.withResolvers<void>();
    const posts = Array.from({ length: 2_000 }, (_, number) =>
      planned(
        number,
        `2026-11-${String(1 + (number % 30)).padStart(2, '0')}`,
        `${String(8 + (number % 12)).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}`,
      ),
    );
    const fake = new FakePosts(api, posts, many);
    const list = fake.list.bind(fake);
    fake.list = async (query) => {
      if (query.get('cursor') === '400') await gate.promise;
      return list(query);
    };
    await panel.setTime(now);
    await panel.open('/calendar');
    await page.getByText(/^Reading: 400 posts so far, up to \d+ Nov$/).waitFor();
    await page.getByRole('progressbar', { name: 'Reading posts' }).waitFor();
    gate.resolve();
    await page.getByText('2,000 posts').waitFor();
    const lists = api.to('GET /v1/posts').filter(({ query }) => query.get('limit') === '200');
    expect(new Set(lists.map(({ query }) => query.get('cursor'))).size).toBe(10);
    await page.getByRole('button', { name: '+65 more on Thursday 19 November' }).waitFor();
    const begunAt = Date.now();
    await page.getByRole('radio', { name: 'Agenda' }).click();
    await page.getByRole('heading', { name: 'Wednesday 18 November' }).waitFor();
    await card(page, 'Post 17').first().waitFor();
    expect(Date.now() - begunAt).toBeLessThan(5_000);
    // Days out of sight have their height only.
    expect(await page.locator('[data-entry]').count()).toBeLessThan(500);
  });

  panelTest('keeps what it has if a page cannot be read, and tries again', async ({ panel }) => {
    const { page, api } = panel;
    const fake = new FakePosts(
      api,
      Array.from({ length: 3 }, (_, day) => planned(day, `2026-11-${19 + day}`, '10:00')),
    );
    fake.pageSize = 2;
    const list = fake.list.bind(fake);
    fake.list = (query) =>
      query.has('cursor') ? refusal(500, 'internal', 'an error of this service') : list(query);
    await panel.setTime(now);
    await panel.open('/calendar');
    await page.getByText('Only posts up to 20 Nov could be read').waitFor();
    await card(page, 'Post 1').waitFor();
    fake.list = list;
    await page.getByRole('button', { name: 'Try again' }).click();
    await card(page, 'Post 2').waitFor();
    expect(await page.getByText('could be read').count()).toBe(0);
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

  panelTest('is a list on small screens, where a tap opens what can be done', async ({ panel }) => {
    const { page, api } = panel;
    const texts = [
      '<img src=x onerror=alert(1)>',
      'x'.repeat(300),
      'مقهى الشمال للقهوة المختصة',
      '👩‍👩‍👧‍👦'.repeat(60),
      '\u202Egnp.exe',
    ];
    const fake = new FakePosts(
      api,
      texts.map((content, number) =>
        planned(number, '2026-11-19', `1${number}:00`, {
          content,
          platforms: hostile.map((account) => targetOf(account)),
        }),
      ),
      hostile,
    );
    await panel.setTime(now);
    for (const [width, path] of [
      [768, '/calendar'],
      [320, '/calendar'],
      [360, '/calendar?view=month&day=2026-11-19'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await panel.open(path);
      await card(page, '<img src=x').first().waitFor();
      expect(await scrollsSideways(page), `${width}`).toBe(false);
    }
    expect(await violationsIn(page)).toEqual([]);
    await card(page, '<img src=x').first().click();
    await page.getByRole('menuitem', { name: 'Move…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Date', { exact: true }).fill('2026-11-25');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Moved to 25 Nov 2026, 10:00 CET.').waitFor();
    await expect
      .poll(() => card(page.locator('section[data-day="2026-11-25"]'), '<img src=x').count())
      .toBe(1);
    expect(fake.posts[0]?.scheduledFor).toBe('2026-11-25T09:00:00.000Z');
  });
});
