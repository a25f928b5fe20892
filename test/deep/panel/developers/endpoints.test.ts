import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  accountOf,
  ago,
  attemptOf,
  endpointOf,
  hostileNames,
  id,
  newSecret,
} from '../../../panel/support/developers-data.ts';
import { expectForgotten, developersTest as test } from '../../../panel/support/developers-test.ts';
import { ok, refusal, requestId } from '../../../panel/support/fake-api.ts';
import { scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const path = '/developers/endpoints';
const shop = 'https://shop.example/herald';
const card = (page: Page, url: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: url }) });

async function choose(page: Page, url: string, action: RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${url}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('the endpoints', () => {
  test('say whether they work, and why not', async ({ on: { page, has, open } }) => {
    has.accounts = [accountOf(31, { displayName: 'Nordlicht' })];
    const stopped = { isActive: false, status: 'disabled' } as const;
    has.endpoints = [
      endpointOf(51, { url: shop, description: 'The shop', accountIds: [id(31)] }),
      endpointOf(52, {
        url: 'https://b.example/',
        status: 'failing',
        statusMessage: 'responded 502',
        events: ['post.failed'],
      }),
      endpointOf(53, {
        url: 'https://c.example/',
        ...stopped,
        statusMessage: 'disabled: the receiver responded 410 Gone',
      }),
      endpointOf(54, { url: 'https://d.example/', ...stopped, statusMessage: 'responded 500' }),
      endpointOf(55, { url: 'https://e.example/', ...stopped }),
    ];
    await open(path);
    const text = async (url: string) => (await card(page, url).innerText()).replace(/\s+/g, ' ');
    await card(page, shop).waitFor();
    await expect
      .poll(() => text(shop))
      .toMatch(/The shop Active Events All events Accounts Nordlicht Created/);
    expect(await text('https://b.example/')).toMatch(
      /Failing The last attempt failed Responded 502\. .* post\.failed/,
    );
    expect(await text('https://c.example/')).toContain(
      'Paused Herald has paused it The receiver responded 410 Gone.',
    );
    expect(await text('https://d.example/')).toContain('Paused The last attempt failed Responded 500.');
    expect(await text('https://e.example/')).toContain('Paused Events All events');
    expect(await violationsIn(page)).toEqual([]);
  });

  test('may have hostile names, on the smallest screen too', async ({ on: { page, has, open } }) => {
    has.endpoints = hostileNames.map((text, place) =>
      endpointOf(51 + place, {
        url: `https://${'very-long-name-'.repeat(4)}${place}.example/${'path/'.repeat(80)}`,
        description: text,
        status: 'failing',
        statusMessage: text,
      }),
    );
    await page.setViewportSize({ width: 320, height: 640 });
    await open(path);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await page.locator('img').count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('are offered with a request to make one, where there is none', async ({ on: { page, open } }) => {
    await open(path);
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    expect(await page.getByRole('figure').innerText()).toContain('"events": [\n    "*"\n  ]');
    expect(await violationsIn(page)).toEqual([]);
  });

  test('that do not load say why, and load when asked again', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [endpointOf(51, { url: shop })];
    api.on('GET /v1/webhooks', refusal(500, 'internal', 'internal error'));
    await open(path);
    expect(await page.getByRole('alert').innerText()).toContain(requestId);
    has.answer();
    await page.getByRole('button', { name: 'Try again' }).click();
    await card(page, shop).waitFor();
  });

  test('are at most 20', async ({ on: { page, has, open } }) => {
    has.endpoints = Array.from({ length: 20 }, (_, place) => endpointOf(51 + place));
    await open(path);
    await page.getByText('at most 20 endpoints').waitFor();
    expect(await page.getByRole('button', { name: 'New endpoint' }).isDisabled()).toBe(true);
  });
});

describe('a new endpoint', () => {
  test('is made by keyboard; its secret is shown once, and forgotten', async ({
    on: { page, api, open },
  }) => {
    await open(path);
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New endpoint' }).waitFor();
    await page.keyboard.type(shop);
    await page.getByRole('radio', { name: 'Chosen events' }).press('Space');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Choose at least one event.').waitFor();
    for (const type of ['post.failed', 'account.expired'])
      await page.getByRole('checkbox', { name: new RegExp(`^${type}`) }).press('Space');
    await page.getByRole('button', { name: 'Create endpoint' }).press('Enter');
    const field = page.getByRole('textbox', { name: 'Your signing secret' });
    await field.waitFor();
    expect(await field.inputValue()).toBe(newSecret);
    await page.getByText('createHmac', { exact: false }).first().waitFor();
    // React Aria has announced that the button is pending, in a node that names the button for some seconds more.
    expect(await violationsIn(page, ['role-img-alt'])).toEqual([]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await card(page, shop).waitFor();
    await expectForgotten(page, newSecret);
    await expect
      .poll(() => api.to('POST /v1/webhooks').map(({ body }) => body))
      .toEqual([
        { url: shop, description: null, events: ['post.failed', 'account.expired'], accountIds: null },
      ]);
  });

  test('that is refused keeps what was typed, and names the field', async ({ on: { page, api, open } }) => {
    const problems = [{ param: 'url', message: 'must be a public host' }];
    api.on('POST /v1/webhooks', refusal(400, 'invalid', 'url: must be a public host', problems));
    await open(path);
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const url = page.getByRole('textbox', { name: 'URL' });
    await url.fill('https://10.0.0.1/');
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await page.getByText('Must be a public host.').waitFor();
    expect(await url.inputValue()).toBe('https://10.0.0.1/');
    await expect.poll(() => url.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});

describe('an endpoint', () => {
  test('is edited by what differs', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [
      endpointOf(51, { url: shop, events: ['post.failed', 'webhook.test'], accountIds: [id(39)] }),
    ];
    await open(path);
    await choose(page, shop, /Edit/);
    await page.getByRole('textbox', { name: /^Description/ }).fill('The shop');
    await page.getByRole('checkbox', { name: /^post\.partial/ }).press('Space');
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('The shop').waitFor();
    await expect
      .poll(() => api.to('PATCH /v1/webhooks/{id}').map(({ body }) => body))
      .toEqual([{ description: 'The shop', events: ['post.failed', 'webhook.test', 'post.partial'] }]);
  });

  test('is paused after a question that says what stops, and activated', async ({ on }) => {
    const { page, api, has, open } = on;
    has.endpoints = [endpointOf(51, { url: shop })];
    await open(path);
    await choose(page, shop, /Pause/);
    const dialog = page.getByRole('alertdialog', { name: 'Pause this endpoint?' });
    expect(await dialog.innerText()).toContain(
      'stay in the event feed for 30 days, and can be replayed once it is active',
    );
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Pause endpoint' }).click();
    await card(page, shop).getByText('Paused').waitFor();
    expect(await card(page, shop).getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    await card(page, shop).getByRole('button', { name: 'Activate' }).click();
    await card(page, shop).getByText('Active', { exact: true }).waitFor();
    await expect
      .poll(() => api.to('PATCH /v1/webhooks/{id}').map(({ body }) => body))
      .toEqual([{ isActive: false }, { isActive: true }]);
  });

  test('gets another secret, which is shown once', async ({ on: { page, has, open } }) => {
    has.endpoints = [endpointOf(51, { url: shop })];
    await open(path);
    await choose(page, shop, /Rotate/);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('textbox', { name: 'Your signing secret' }).waitFor();
    await page.getByText('Accept either').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectForgotten(page, newSecret);
  });

  test('is deleted after a question that says what stops', async ({ on: { page, has, open } }) => {
    has.endpoints = [endpointOf(51, { url: shop })];
    await open(path);
    await choose(page, shop, /Delete/);
    const dialog = page.getByRole('alertdialog', { name: 'Delete this endpoint?' });
    expect(await dialog.innerText()).toContain('This cannot be undone');
    await dialog.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
  });

  test('gets a test event, whose way is shown', async ({ on: { page, has, open } }) => {
    has.endpoints = [endpointOf(51, { url: shop })];
    await open(path);
    await page.getByRole('button', { name: 'Send test event' }).click();
    const result = page.getByRole('region', { name: `Test event to ${shop}` });
    await result.getByText('Sending webhook.test…').waitFor();
    const sent = has.deliveries[0]?.id ?? '';
    const failed = attemptOf({ statusCode: 503, error: 'responded 503', responseStart: 'busy' });
    has.change(sent, { attempts: [failed], nextAttemptAt: ago(-1) });
    await result.getByText('Responded 503.').waitFor();
    await result.getByText(/The next attempt is at .*(CET|CEST)/).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    has.change(sent, { status: 'delivered', attempts: [failed, attemptOf()], nextAttemptAt: null });
    await result.getByText('The test event has arrived').waitFor();
    await result.getByText('Status 200 after 132 ms').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await result.getByRole('link', { name: 'Show the delivery' }).click();
    await page.getByRole('dialog', { name: 'webhook.test' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/developers/deliveries');
  });

  test('says why no test event was sent', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [endpointOf(51, { url: shop })];
    api.on('POST /v1/webhooks/{id}/test', refusal(409, 'webhook_disabled', 'webhook: it is disabled'));
    await open(path);
    await page.getByRole('button', { name: 'Send test event' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Webhook: it is disabled.');
  });

  test('gets all that has failed again, in as many requests as it takes', async ({ on }) => {
    const { page, api, has, open } = on;
    has.endpoints = [endpointOf(51, { url: shop })];
    const replies = [
      ok({ redelivered: 1_000, nextCursor: 'more', warnings: [] }),
      refusal(503, 'unavailable', 'busy'),
      ok({ redelivered: 234, nextCursor: null, warnings: [] }),
    ];
    api.on(
      'POST /v1/webhooks/{id}/redeliver-failed',
      () => replies.shift() ?? refusal(500, 'internal', 'no'),
    );
    await open(path);
    await choose(page, shop, /Send failed/);
    const dialog = page.getByRole('dialog', { name: 'Send failed deliveries again' });
    await dialog.getByRole('radio', { name: 'The last 7 days' }).press('Space');
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByRole('alert').getByText('Busy.').waitFor();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('234 deliveries are on the way again.').waitFor();
    const bodies = api.to('POST /v1/webhooks/{id}/redeliver-failed').map(({ body }) => body) as {
      since: string;
    }[];
    expect(bodies.map((body) => 'cursor' in body)).toEqual([false, true, false]);
    expect(Date.now() - Date.parse(bodies[0]?.since ?? '')).toBeLessThan(7 * 86_400_000 + 60_000);
    await dialog.getByRole('button', { name: 'Done' }).click();
  });
});
