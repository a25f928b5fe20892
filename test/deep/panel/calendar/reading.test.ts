import { describe, expect } from 'vitest';
import { many } from '../../../panel/support/accounts.ts';
import { FakePosts } from '../../../panel/support/calendar.ts';
import { card, now, planned, start } from '../../../panel/support/calendar-page.ts';
import { refusal, requestId } from '../../../panel/support/fake-api.ts';
import { panelTest, violationsIn } from '../../../panel/support/panel.ts';

describe("reading the calendar's posts", () => {
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
    await page.getByRole('button', { name: '+66 more on Thursday 19 November' }).waitFor();
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

  panelTest(
    'says why nothing can be shown if the first page cannot be read, and tries again',
    async ({ panel }) => {
      const { page } = panel;
      const fake = await start(panel, []);
      const list = fake.list;
      fake.posts = [planned(1, '2026-11-19', '10:00')];
      fake.list = () => refusal(500, 'internal', 'an error of this service');
      await panel.open('/calendar');
      const failure = page.getByRole('alert').filter({ hasText: 'The posts could not be read' });
      await failure.getByText(requestId).waitFor();
      expect(await page.getByText('Nothing is planned').count()).toBe(0);
      expect(await violationsIn(page)).toEqual([]);
      fake.list = list;
      await page.getByRole('button', { name: 'Try again' }).click();
      await card(page, 'Post 1').waitFor();
      await failure.waitFor({ state: 'detached' });
    },
  );

  panelTest('says that only destinations with times of their own are missing', async ({ panel }) => {
    const { page } = panel;
    const fake = await start(panel, [planned(1, '2026-11-19', '10:00')]);
    const list = fake.list;
    fake.list = (query) =>
      query.has('ownTimes') ? refusal(500, 'internal', 'an error of this service') : list(query);
    await panel.open('/calendar');
    await page.getByText('Some destinations with times of their own could not be read').waitFor();
    await card(page, 'Post 1').waitFor();
    fake.list = list;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByText('could not be read').count()).toBe(0);
  });
});
