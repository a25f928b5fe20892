import { describe, expect } from 'vitest';
import {
  attemptOf,
  deliveryOf,
  endpointOf,
  FakeDevelopers,
  keyOf,
  newApiKey,
  newSecret,
} from '../support/developers-data.ts';
import { expectForgotten } from '../support/developers-test.ts';
import { panelTest } from '../support/panel.ts';
import { walk } from '../support/walk.ts';

const shop = 'https://shop.example/herald';

describe('the keys', () => {
  panelTest('are made by keyboard, shown once, and forgotten', async ({ panel }) => {
    const { page, api, open } = panel;
    new FakeDevelopers(api);
    await open('/developers');
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New key' }).waitFor();
    await page.keyboard.type('CI of the shop');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('textbox', { name: 'Your new key' }).inputValue()).toBe(newApiKey);
    await page.getByRole('button', { name: 'I have stored it' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'CI of the shop' }).waitFor();
    await expectForgotten(page, newApiKey);
    await expect
      .poll(() => api.to('POST /panel/keys').map(({ body }) => body))
      .toEqual([{ name: 'CI of the shop' }]);
  });

  walk('/developers/{-$tab}', 'are revoked after a question', async ({ page, api, open, inspect }) => {
    new FakeDevelopers(api).keys = [keyOf(1, { name: 'Shop' })];
    await open('/developers');
    await page.getByRole('rowheader', { name: 'Shop' }).waitFor();
    await inspect();
    await page.getByRole('button', { name: 'Actions for Shop' }).click();
    await page.getByRole('menuitem', { name: /Revoke/ }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Shop' })
      .getByText(/^Revoked/)
      .waitFor();
  });
});

describe('the endpoints', () => {
  panelTest('are made, with a secret that is shown once', async ({ panel }) => {
    const { page, api, open } = panel;
    new FakeDevelopers(api);
    await open('/developers/endpoints');
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill(shop);
    await page.getByRole('radio', { name: 'Chosen events' }).press('Space');
    await page.getByRole('checkbox', { name: /^post\.failed/ }).press('Space');
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Your signing secret' }).inputValue())
      .toBe(newSecret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: shop }).waitFor();
    await expectForgotten(page, newSecret);
    await expect
      .poll(() => api.to('POST /v1/webhooks').map(({ body }) => body))
      .toEqual([{ url: shop, description: null, events: ['post.failed'], accountIds: null }]);
  });

  walk('/developers/{-$tab}', 'say whether they work, and are paused', async (panel) => {
    const { page, api, open, inspect } = panel;
    new FakeDevelopers(api).endpoints = [
      endpointOf(51, { url: shop, status: 'failing', statusMessage: 'responded 502' }),
    ];
    await open('/developers/endpoints');
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: shop }) });
    await card.getByText('Responded 502.').waitFor();
    await inspect();
    await page.getByRole('button', { name: `Actions for ${shop}` }).click();
    await page.getByRole('menuitem', { name: /Pause/ }).click();
    const question = page.getByRole('alertdialog', { name: 'Pause this endpoint?' });
    await question.getByRole('button', { name: 'Pause endpoint' }).click();
    await card.getByText('Paused').waitFor();
    await expect
      .poll(() => api.to('PATCH /v1/webhooks/{id}').map(({ body }) => body))
      .toEqual([{ isActive: false }]);
  });
});

describe('the events that an endpoint has missed', () => {
  walk('/developers/{-$tab}', 'are replayed, and the rest after them', async (panel) => {
    const { page, api, open, inspect } = panel;
    new FakeDevelopers(api).endpoints = [endpointOf(51, { url: shop })];
    await open('/developers/endpoints');
    await page.getByRole('button', { name: `Actions for ${shop}` }).click();
    await page.getByRole('menuitem', { name: /Replay/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay events of the feed' });
    await dialog.getByRole('radio', { name: 'The last 7 days' }).press('Space');
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText(/10,000 events are covered/).waitFor();
    await inspect();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText(/10,012 events are covered/).waitFor();
    await expect
      .poll(() => api.to('POST /v1/webhooks/{id}/replay').map(({ body }) => body))
      .toEqual([{ since: expect.stringMatching(/Z$/) }, { after: 'later' }]);
  });
});

describe('the deliveries', () => {
  walk('/developers/{-$tab}', 'say what came of each, and are sent again', async (panel) => {
    const { page, api, open, inspect } = panel;
    const has = new FakeDevelopers(api);
    const failed = attemptOf({ statusCode: 502, latencyMs: 220, error: 'responded 502' });
    const delivery = deliveryOf(30, { type: 'post.failed', status: 'failed', attempts: [failed] });
    has.endpoints = [endpointOf(51, { url: shop })];
    has.deliveries = [deliveryOf(5), delivery];
    await open('/developers/deliveries');
    const table = page.getByRole('table', { name: 'Deliveries' });
    await expect.poll(() => table.getByRole('rowheader').count()).toBe(2);
    await table.getByText(/Responded 502\./).waitFor();
    await inspect();
    await table.getByRole('link', { name: 'post.failed' }).click();
    const dialog = page.getByRole('dialog', { name: 'post.failed' });
    await dialog.getByText('Attempt 1').waitFor();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expect
      .poll(() => api.to('POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver').length)
      .toBe(1);
    has.change(delivery.id, { status: 'delivered', nextAttemptAt: null, attempts: [failed, attemptOf()] });
    await dialog.getByText('Attempt 2').waitFor();
    await dialog.getByText('Delivered').waitFor();
  });
});
