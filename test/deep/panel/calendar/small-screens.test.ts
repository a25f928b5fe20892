import { describe, expect } from 'vitest';
import { hostile } from '../../../panel/support/accounts.ts';
import { FakePosts } from '../../../panel/support/calendar.ts';
import { card, now, planned } from '../../../panel/support/calendar-page.ts';
import { dateField, enterDate } from '../../../panel/support/date-fields.ts';
import { ok } from '../../../panel/support/fake-api.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';
import { targetOf } from '../../../panel/support/posts.ts';

describe('the calendar on small screens', () => {
  panelTest('has filters whose words are whole', async ({ panel }) => {
    const { page, api } = panel;
    new FakePosts(api, [planned(1, '2026-11-19', '10:00')]);
    api.on('GET /v1/tags', () => ok({ tags: [{ name: 'Winter', color: 'blue' }], nextCursor: null }));
    await panel.setTime(now);
    for (const width of [704, 768, 1024, 1180, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await panel.open('/calendar');
      const filters = page.getByRole('search').getByRole('button', { name: /Platform|State|Tag/ });
      await expect.poll(() => filters.count(), { message: `${width}` }).toBe(3);
      const cut = await filters.evaluateAll((all) =>
        all
          .flatMap((button) => [...button.querySelectorAll('span')])
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
      expect(cut, `${width}`).toEqual([]);
    }
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
    await enterDate(dateField(dialog), '2026-11-25');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Moved to 25 Nov 2026, 10:00 CET.').waitFor();
    await expect
      .poll(() => card(page.locator('section[data-day="2026-11-25"]'), '<img src=x').count())
      .toBe(1);
    expect(fake.posts[0]?.scheduledFor).toBe('2026-11-25T09:00:00.000Z');
  });
});
