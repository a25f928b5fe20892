import { describe, expect } from 'vitest';
import { dayAgo, gated, serveAutomations } from '../support/automations.ts';
import { ok } from '../support/fake-api.ts';
import { meInUtc } from '../support/me.ts';
import { walk } from '../support/walk.ts';

describe('the links', () => {
  walk('/links', 'show their clicks by period and automation', async ({ page, api, open, inspect }) => {
    serveAutomations(api);
    api.on('GET /panel/me', ok(meInUtc()));
    await open('/links');
    await page.getByText('5 links').waitFor();
    await page.getByText(/[\d,]+ clicks in 30 days/).waitFor();
    expect(api.to('GET /v1/links')[0]?.query.get('from')).toBe(dayAgo(29));
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('columnheader', { name: 'Day' }).waitFor();
    await inspect();
    await page.getByRole('radio', { name: '7 days' }).click();
    await page.getByText(/clicks in 7 days/).waitFor();
    await page.getByRole('combobox', { name: 'Automation' }).fill('Give');
    await page.getByRole('option', { name: /Giveaway/ }).click();
    await page.getByText('2 links').waitFor();
    expect(new URL(page.url()).search).toBe(`?last=7d&automation=${gated.id}`);
  });
});
