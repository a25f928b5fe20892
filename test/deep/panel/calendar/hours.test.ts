import { describe, expect } from 'vitest';
import { listSlotsOperation, readRhythmOperation } from '../../../../lib/rhythm/operations.ts';
import { instagram, tiktok } from '../../../panel/support/accounts.ts';
import {
  card,
  dayOf,
  focused,
  inBerlin,
  planned,
  shownAt,
  start,
} from '../../../panel/support/calendar-page.ts';
import { dateField, enterDate } from '../../../panel/support/date-fields.ts';
import { ok } from '../../../panel/support/fake-api.ts';
import { berlin } from '../../../panel/support/me.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';
import { targetOf } from '../../../panel/support/posts.ts';

const moves = 'PATCH /v1/posts/{id}';
const week = '/calendar?view=week&day=2026-11-18';

describe('a week with hours', () => {
  panelTest('begins a post in the second of two hours that the clocks show alike', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [], '/calendar?view=day&day=2027-10-31');
    const first = page.getByRole('button', { name: /^Sunday 31 October/ });
    await first.focus();
    await page.keyboard.press('ArrowDown');
    for (let hours = 0; hours < 3; hours++) await page.keyboard.press('PageUp');
    await expect.poll(() => focused(page)).toBe('New post at 03:00 on Sunday 31 October');
    for (let quarters = 0; quarters < 2; quarters++) await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(page)).toBe('New post at 02:30 again on Sunday 31 October');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/compose\?at=2027-10-31T02%3A30%2B01%3A00$/);
    await page
      .getByRole('radio', { name: /CET/ })
      .and(page.getByRole('radio', { checked: true }))
      .waitFor();
  });

  panelTest('is for the keyboard too', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')], week);
    await card(page, 'Post 1').waitFor();
    await page.keyboard.press('t');
    await expect.poll(() => focused(page)).toBe('Wednesday 18 November, today, no posts');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Post 1');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-19', '10:15']);
    await expect.poll(() => api.to(moves)).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('New post at 09:00 on Thursday 19 November');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe('New post at 09:30 on Friday 20 November');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/compose\?at=2026-11-20T09(:|%3A)30$/);
  });

  panelTest('has many posts of one minute as a number, which lists them', async ({ panel }) => {
    const { page } = panel;
    const content = (number: number) => `Post ${number}: a text with so many words that a card has no space`;
    const posts = Array.from({ length: 6 }, (_, number) =>
      planned(number + 1, '2026-11-19', '10:00', { content: content(number + 1) }),
    );
    await start(panel, posts, week);
    // The state stays whole above the text, which is cut.
    const state = card(page, 'Post 1').getByText('Scheduled');
    await state.waitFor();
    expect(
      await state.evaluate((word) => {
        const top = word.closest('[data-entry] > span') ?? word;
        return top.scrollHeight - top.clientHeight;
      }),
    ).toBeLessThanOrEqual(1);
    await page.getByRole('button', { name: '+5 on Thursday 19 November' }).click();
    const dialog = page.getByRole('dialog', { name: '5 posts' });
    await card(dialog, 'Post 6').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('has cards of a day whose words have space, also on a tablet', async ({ panel }) => {
    const { page } = panel;
    const content = 'Several words of a post';
    await start(
      panel,
      [planned(1, '2026-11-19', '10:00', { content }), planned(2, '2026-11-19', '10:30', { content })],
      '/calendar?view=day&day=2026-11-19',
    );
    for (const width of [720, 768, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      for (const number of [0, 1]) {
        const shown = page.locator('[data-entry]').nth(number);
        const words = shown.locator('[dir=auto]');
        await words.waitFor();
        await expect
          .poll(async () => (await words.boundingBox())?.width, { message: `${width}` })
          .toBeGreaterThan(60);
        const right = async (locator: typeof words) => {
          const box = await locator.boundingBox();
          return (box?.x ?? 0) + (box?.width ?? 0);
        };
        expect(await right(shown.getByText('Scheduled')), `${width}`).toBeLessThanOrEqual(await right(shown));
      }
    }
  });

  panelTest('shows the slots and limits of the account of the filter', async ({ panel }) => {
    const { page, api } = panel;
    answer(api, listSlotsOperation, () => ({
      timezone: 'Europe/Berlin',
      slots: [
        { at: inBerlin('2026-11-19', '10:15'), local: '2026-11-19T10:15:00+01:00' },
        { at: inBerlin('2026-11-19', '11:30'), local: '2026-11-19T11:30:00+01:00' },
        { at: inBerlin('2026-11-19', '15:37'), local: '2026-11-19T15:37:00+01:00' },
      ],
    }));
    answer(api, readRhythmOperation, () => ({
      rhythm: {
        gapMinutes: 120,
        dailyCap: 3,
        dayWindow: { from: '09:00', to: '21:00' },
        collisionBufferMinutes: 15,
        timezone: 'Europe/Berlin',
      },
    }));
    await start(panel, [planned(1, '2026-11-19', '10:00')], `${week}&account=${instagram.id}`);
    await page
      .getByText('This account takes up to 3 automatic posts a day, from 09:00 to 21:00 (Europe/Berlin).')
      .waitFor();
    await dayOf(page, 'Thursday 19 November').getByText('3 free slots').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    // A card is an hour high, so it would be above this one.
    await page.getByRole('button', { name: '10:15 free' }).click();
    await page.waitForURL(/\/compose\?at=2026-11-19T10(:|%3A)15&account=/);
    await page.goBack();
    await page.getByRole('button', { name: '11:30 free' }).click();
    await page.waitForURL(/\/compose\?at=2026-11-19T11(:|%3A)30&account=/);
    await page.goBack();
    // A slot is at any minute: the quarter before it may be too near to another post.
    await page.getByRole('button', { name: '15:37 free' }).click();
    await page.waitForURL(/\/compose\?at=2026-11-19T15(:|%3A)37&account=/);
  });
});

describe('several posts', () => {
  panelTest('are deleted together, but for those that are live', async ({ panel }) => {
    const { page, api } = panel;
    const fake = await start(panel, [
      planned(1, '2026-11-19', '10:00'),
      planned(2, '2026-11-20', '10:00'),
      planned(3, '2026-11-20', '12:00', { status: 'published' }),
    ]);
    await card(page, 'Post 1').click({ modifiers: ['ControlOrMeta'] });
    await card(page, 'Post 3').click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('3 selected').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Delete…' }).click();
    api.on('DELETE /v1/posts/{id}', ({ path }) => {
      fake.posts = fake.posts.filter(({ id }) => !path.endsWith(id));
      return { status: 200, body: { ok: true } };
    });
    const dialog = page.getByRole('alertdialog', { name: 'Delete 3 posts?' });
    await dialog.getByText('1 published or being published: cannot be deleted').waitFor();
    await dialog.getByRole('button', { name: 'Delete 2 posts' }).click();
    await page.getByText('Deleted 2 posts.').waitFor();
    await expect.poll(() => page.locator('[data-entry]').count()).toBe(1);
    await expect.poll(() => bar.count()).toBe(0);

    // The keyboard selects, too.
    await card(page, 'Post 3').focus();
    await page.keyboard.press('Shift+Space');
    await bar.getByText('1 selected').waitFor();
    await page.keyboard.press('Space');
    await expect.poll(() => bar.count()).toBe(0);
  });

  panelTest('are no longer selected after Escape, wherever the focus is', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00'), planned(2, '2026-11-20', '10:00')]);
    const bar = page.getByRole('region', { name: 'Selection' });
    for (const view of ['Month', 'Week', 'Agenda']) {
      await page.getByRole('radio', { name: view }).click();
      await card(page, 'Post 1').click({ modifiers: ['ControlOrMeta'] });
      await bar.getByText('1 selected').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => bar.count(), { message: view }).toBe(0);
      await card(page, 'Post 2').click({ modifiers: ['ControlOrMeta'] });
      // The dialog has the first one.
      await bar.getByRole('button', { name: 'Move…' }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await bar.getByText('1 selected').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => bar.count(), { message: view }).toBe(0);
    }
  });

  panelTest('are tagged, and move with all their accounts', async ({ panel }) => {
    const { page, api } = panel;
    const fake = await start(panel, [
      planned(1, '2026-11-19', '10:00', {
        platforms: [
          targetOf(instagram, { scheduledFor: inBerlin('2026-11-19', '10:00') }),
          targetOf(tiktok, { scheduledFor: inBerlin('2026-11-20', '18:00') }),
        ],
      }),
    ]);
    api.on('GET /v1/tags', () => ok({ tags: [{ name: 'Winter', color: 'blue' }], nextCursor: null }));
    await page.reload();
    await card(page, 'Post 1')
      .first()
      .click({ modifiers: ['ControlOrMeta'] });
    const bar = page.getByRole('region', { name: 'Selection' });
    // Two cards, one post.
    await bar.getByText('1 selected').waitFor();
    await bar.getByRole('button', { name: 'Tag…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /Winter/ })
      .check({ force: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Save tags' }).click();
    await page.getByText('Changed the tags of 1 post.').waitFor();
    await card(page, 'Post 1')
      .first()
      .click({ modifiers: ['ControlOrMeta'] });
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByRole('button', { name: 'Move 1 post' }).click();
    await expect
      .poll(() => fake.posts[0]?.platforms.map(({ scheduledFor }) => scheduledFor))
      .toEqual([inBerlin('2026-11-20', '10:00'), inBerlin('2026-11-21', '18:00')]);
  });

  panelTest('are only those in sight: not those of another month or behind a filter', async ({ panel }) => {
    const { page } = panel;
    await start(panel, [
      planned(1, '2026-11-19', '10:00'),
      planned(2, '2026-11-20', '10:00', { status: 'draft' }),
    ]);
    await card(page, 'Post 1').click({ modifiers: ['ControlOrMeta'] });
    await card(page, 'Post 2').click({ modifiers: ['ControlOrMeta'] });
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('heading', { name: 'December 2026' }).waitFor();
    await expect.poll(() => bar.count()).toBe(0);
    await page.getByRole('button', { name: 'Previous month' }).click();
    await bar.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Draft', exact: true }).click();
    await bar.getByText('1 selected').waitFor();
  });

  panelTest('are moved, and back, in the workspace where somebody began', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00'), planned(2, '2026-11-20', '10:00')]);
    await card(page, 'Post 1').click({ modifiers: ['ControlOrMeta'] });
    await card(page, 'Post 2').click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Move…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 2 posts' });
    await dialog.getByText('To one day').click();
    await enterDate(dateField(dialog, 'Day'), '2026-11-24');
    await dialog.getByRole('button', { name: 'Move 2 posts' }).click();
    await page.getByText('Moved 2 posts.').waitFor();
    await page.getByRole('button', { name: /^Workspace: Nordlicht/ }).click();
    await page.getByRole('menuitemradio', { name: /Harbour/ }).click();
    await page.getByRole('button', { name: /^Workspace: Harbour/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => api.to(moves).map(({ workspaceId }) => workspaceId))
      .toEqual(Array(4).fill(berlin));
  });
});
