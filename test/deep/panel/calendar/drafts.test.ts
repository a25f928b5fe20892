import { describe, expect } from 'vitest';
import { instagram } from '../../../panel/support/accounts.ts';
import { card, dayOf, planned, start } from '../../../panel/support/calendar-page.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';
import { listedPostOf, targetOf } from '../../../panel/support/posts.ts';
import { drag } from '../../../support/drag.ts';

describe('drafts and copies in the calendar', () => {
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
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').at(-1)?.body)
      .toEqual({
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
});
