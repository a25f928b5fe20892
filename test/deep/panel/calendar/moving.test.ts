import { describe, expect } from 'vitest';
import { instagram, linkedin } from '../../../panel/support/accounts.ts';
import {
  card,
  dayOf,
  inBerlin,
  now,
  planned,
  shownAt,
  start,
  textOf,
} from '../../../panel/support/calendar-page.ts';
import { refusal, requestId } from '../../../panel/support/fake-api.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';
import { targetOf } from '../../../panel/support/posts.ts';
import { drag } from '../../../support/drag.ts';

describe('moving posts in the calendar', () => {
  panelTest('moves a post to another day by dragging it, and back by Undo', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [
      planned(1, '2026-11-19', '23:59'),
      planned(2, '2026-11-20', '10:00', { status: 'draft' }),
    ]);
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    await page.getByText('Moved to 21 Nov 2026, 23:59 CET.').waitFor();
    expect(await shownAt(page, 'Post 1')).toEqual(['2026-11-21', '23:59']);
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}').map(({ body }) => body))
      .toEqual([{ scheduledFor: '2026-11-21T22:59:00.000Z' }]);
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
      await expect
        .poll(() => api.to('PATCH /v1/posts/{id}').at(-1)?.body)
        .toMatchObject({
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

  panelTest('does not say that a post stays if nobody knows, and shows it where it is', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    api.around('PATCH /v1/posts/{id}', async (reply) => ({ ...(await reply), isDropped: true }));
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    const note = page.getByRole('alert').filter({ hasText: 'Post 1' });
    expect(await textOf(note)).toContain('“Post 1” may have been moved to 21 Nov 2026, 10:00 CET');
    await expect.poll(() => shownAt(page, 'Post 1')).toEqual(['2026-11-21', '10:00']);
  });

  panelTest('takes an older move back, and names where the post is if it cannot', async ({ panel }) => {
    const { page, api } = panel;
    const fake = await start(panel, [planned(1, '2026-11-19', '10:00')]);
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Friday 20 November'));
    const first = page
      .getByRole('region', { name: 'Notices' })
      .getByRole('listitem')
      .filter({ hasText: 'Moved to 20 Nov 2026' });
    await first.waitFor();
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    await page.getByText('Moved to 21 Nov 2026, 10:00 CET.').waitFor();
    api.on('PATCH /v1/posts/{id}', refusal(409, 'changed_concurrently', 'the post is being changed'));
    await first.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').filter({ hasText: '“Post 1” stays on 21 Nov 2026, 10:00 CET' }).waitFor();
    expect(await shownAt(page, 'Post 1')).toEqual(['2026-11-21', '10:00']);
    expect(fake.posts[0]?.scheduledFor).toBe(inBerlin('2026-11-21', '10:00'));
  });

  panelTest('puts a post back that is published while somebody drags it', async ({ panel }) => {
    const { page, api } = panel;
    const fake = await start(panel, [planned(1, '2026-11-19', '10:00')]);
    const target = dayOf(page, 'Saturday 21 November');
    const [from, to] = [await card(page, 'Post 1').boundingBox(), await target.boundingBox()];
    if (!from || !to) throw new Error('not in sight');
    await page.mouse.move(from.x + 20, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y + 14, { steps: 4 });
    fake.posts = [planned(1, '2026-11-19', '10:00', { status: 'published', updatedAt: now })];
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await card(page, 'Post 1').getByText('Published').waitFor();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height - 8, { steps: 12 });
    await page.mouse.up();
    const reason = page.getByRole('alert').filter({ hasText: '“Post 1” stays on 19 Nov 2026, 10:00 CET' });
    expect(await textOf(reason)).toMatch(/published/);
    expect(await shownAt(page, 'Post 1')).toEqual(['2026-11-19', '10:00']);
    expect(api.to('PATCH /v1/posts/{id}')).toHaveLength(0);
    // It is not as if it were still in somebody's hand.
    expect(
      await card(page, 'Post 1').evaluate((link) => getComputedStyle(link.closest('li') as Element).opacity),
    ).toBe('1');
  });

  panelTest('says which rule of a platform a move would break, and puts the post back', async ({ panel }) => {
    const { page, api } = panel;
    await start(panel, [planned(1, '2026-11-19', '10:00')]);
    api.on(
      'PATCH /v1/posts/{id}',
      refusal(422, 'quota_exhausted', 'platforms[0].scheduledFor: the day has no place for it', [
        { param: 'platforms[0].scheduledFor', message: 'the day has no place for it' },
      ]),
    );
    await drag(page, card(page, 'Post 1'), dayOf(page, 'Saturday 21 November'));
    const reason = page.getByRole('alert').filter({ hasText: '“Post 1” stays on 19 Nov 2026, 10:00 CET' });
    await reason.getByText('Instagram: the day has no place for it.', { exact: true }).waitFor();
    expect(await shownAt(page, 'Post 1')).toEqual(['2026-11-19', '10:00']);
    expect(await violationsIn(page)).toEqual([]);
  });
});
