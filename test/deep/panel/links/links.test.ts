import { describe, expect } from 'vitest';
import { dayAgo, everything, gated, serveAutomations, spring } from '../../../panel/support/automations.ts';
import { dateField, enterDate } from '../../../panel/support/date-fields.ts';
import { ok, refusal } from '../../../panel/support/fake-api.ts';
import { meInUtc } from '../../../panel/support/me.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const read = 'GET /v1/links';

describe('the links', () => {
  panelTest(
    'show their clicks by day, period and automation, over all pages',
    async ({ panel: { page, api, open } }) => {
      serveAutomations(api, { perPage: 2 });
      api.on('GET /panel/me', ok(meInUtc()));
      await open('/links');
      await page.getByText('5 links').waitFor();
      expect(
        api
          .to(read)
          .slice(0, 3)
          .map(({ query }) => query.get('cursor')),
      ).toEqual([null, '2', '4']);
      expect(api.to(read)[0]?.query.get('from')).toBe(dayAgo(29));
      await page.getByText('Days begin and end at midnight in UTC.').waitFor();
      const [total = ''] = /[\d,]+ clicks in 30 days/.exec(await page.getByRole('figure').innerText()) ?? [];
      expect(total).not.toBe('');
      // The most clicked first.
      const clicks = await page
        .getByRole('row')
        .evaluateAll((rows) => rows.slice(1).map((row) => Number(row.lastElementChild?.textContent)));
      expect(clicks).toEqual(clicks.toSorted((one, other) => other - one));
      await page.getByRole('button', { name: 'Show as table' }).click();
      await page.getByRole('columnheader', { name: 'Day' }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('radio', { name: '7 days' }).click();
      await page.getByText(/clicks in 7 days/).waitFor();
      await page.getByRole('combobox', { name: 'Automation' }).fill('Give');
      await page.getByRole('option', { name: /Giveaway/ }).click();
      await page.getByText('2 links').waitFor();
      expect(new URL(page.url()).search).toBe(`?last=7d&automation=${gated.id}`);
      await page.getByRole('radio', { name: 'Custom' }).click();
      await enterDate(dateField(page, 'First day'), dayAgo(2));
      await page.getByText(/clicks in 3 days/).waitFor();
      expect(api.to(read).at(-1)?.query.get('automationId')).toBe(gated.id);
      await enterDate(dateField(page, 'First day'), '2099-01-01');
      await page.getByText('The last day is before the first one.').waitFor();
      await page.setViewportSize({ width: 320, height: 800 });
      await open('/links?last=90d');
      await page.getByText('5 links').waitFor();
      expect(await scrollsSideways(page)).toBe(false);
    },
  );

  panelTest('say what is next if there is none, and what failed', async ({ panel: { page, api, open } }) => {
    serveAutomations(api, { automations: [] });
    await open('/links');
    await page.getByRole('link', { name: 'New automation' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    serveAutomations(api);
    await open(`/links?automation=${everything.id}`);
    await page.getByRole('heading', { name: 'This automation has no tracked links' }).waitFor();
    serveAutomations(api, { automations: [spring] });
    await open(`/links?automation=${gated.id}`);
    await page.getByRole('heading', { name: 'This automation no longer exists' }).waitFor();
    await page.getByRole('button', { name: 'Show all automations' }).click();
    await page.getByText('2 links').waitFor();
    serveAutomations(api).on(read, refusal(500, 'internal', 'it failed'));
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
});
