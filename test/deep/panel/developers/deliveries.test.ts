import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { DeliveryView } from '../../../../lib/webhooks/views.ts';
import {
  ago,
  attemptOf,
  deliveryOf,
  endpointOf,
  hostileNames,
  id,
} from '../../../panel/support/developers-data.ts';
import { focusedName, developersTest as test } from '../../../panel/support/developers-test.ts';
import { refusal, requestId } from '../../../panel/support/fake-api.ts';
import { scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';

const path = '/developers/deliveries';
const shop = endpointOf(51, { url: 'https://shop.example/herald' });
const chat = endpointOf(52, { url: 'https://chat.example/hook' });

const failed = (number: number, changes: Partial<DeliveryView> = {}): DeliveryView =>
  deliveryOf(number, {
    status: 'failed',
    attempts: [
      attemptOf({
        at: ago(number),
        statusCode: null,
        latencyMs: 10_000,
        responseStart: null,
        error: 'no response within 10 s',
      }),
      attemptOf({
        at: ago(number - 1),
        statusCode: 502,
        latencyMs: 220,
        responseStart: '<b>Bad gateway</b>',
        error: 'responded 502',
      }),
    ],
    ...changes,
  });

const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).getByRole('rowheader');

async function filterBy(page: Page, filter: RegExp, choice: string): Promise<void> {
  await page.getByRole('search').getByRole('button', { name: filter }).click();
  await page.getByRole('option', { name: choice }).click();
}

describe('the deliveries', () => {
  test('show what came of each, in words', async ({ on: { page, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = [
      deliveryOf(1, { status: 'pending', attempts: [], nextAttemptAt: ago(0) }),
      failed(5, { type: 'post.failed' }),
      failed(9, { status: 'pending', nextAttemptAt: ago(-20), webhookId: id(59) }),
      deliveryOf(12),
    ];
    await open(path);
    await expect.poll(() => rows(page).count()).toBe(4);
    const texts = (await page.getByRole('row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts[1]).toMatch(
      /^post\.published shop\.example\/herald .* (CET|CEST) .*No attempt yet Pending$/,
    );
    expect(texts[2]).toMatch(/^post\.failed .* Responded 502\. Status 502 after 220 ms · 2 attempts Failed$/);
    expect(texts[3]).toMatch(/Deleted endpoint .* Next at .* Pending$/);
    expect(texts[4]).toMatch(/Status 200 after 132 ms Delivered$/);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('are filtered by status, event, endpoint and time, which the URL keeps', async ({ on }) => {
    const { page, api, has, open } = on;
    has.endpoints = [shop, chat];
    has.deliveries = [
      deliveryOf(10),
      failed(20, { type: 'post.failed' }),
      failed(30, { webhookId: chat.id, type: 'post.failed' }),
      failed(40, { webhookId: chat.id }),
      failed(90, { webhookId: chat.id, type: 'post.failed' }),
    ];
    await open(path);
    await expect.poll(() => rows(page).count()).toBe(5);
    await filterBy(page, /Status/, 'Failed');
    await expect.poll(() => rows(page).count()).toBe(4);
    await filterBy(page, /^.*Event/, 'post.failed');
    await expect.poll(() => rows(page).count()).toBe(3);
    await filterBy(page, /Endpoint/, chat.url);
    await expect.poll(() => rows(page).count()).toBe(2);
    await filterBy(page, /Time/, 'Last hour');
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(await violationsIn(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      status: 'failed',
      type: 'post.failed',
      endpoint: chat.id,
      period: '1h',
    });
    const [last] = api.to('GET /v1/webhooks/{id}/deliveries').slice(-1);
    expect([last?.path, last?.query.get('status')]).toEqual([`/v1/webhooks/${chat.id}/deliveries`, 'failed']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rows(page).count()).toBe(5);
  });

  test('are searched page by page until some fit', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = Array.from({ length: 2_400 }, (_, place) =>
      deliveryOf(place, place === 2_399 ? { type: 'dm.received' } : {}),
    );
    await open(`${path}?type=dm.received`);
    await rows(page).first().waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^1 delivery$/ })
      .waitFor();
    await expect.poll(() => api.to('GET /v1/deliveries')).toHaveLength(5);
  });

  test('are not searched beyond the time that is asked for', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = Array.from({ length: 2_400 }, (_, place) => deliveryOf(place));
    await open(`${path}?period=1h`);
    await page
      .getByRole('status')
      .filter({ hasText: /^60 deliveries$|^61 deliveries$/ })
      .waitFor();
    await expect.poll(() => api.to('GET /v1/deliveries')).toHaveLength(1);
  });

  test('may be 2,000', async ({ on: { page, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = Array.from({ length: 2_000 }, (_, place) => deliveryOf(place));
    await open(`${path}?type=post.published`);
    // Not by role: finding one among thousands of elements takes seconds.
    const shown = (text: string | RegExp) => page.locator('[role=status]', { hasText: text }).waitFor();
    for (const count of ['500', '1,000', '1,500']) {
      await shown(`${count} deliveries so far`);
      await page.locator('button', { hasText: 'Search further back' }).press('Enter');
    }
    await shown(/^2,000 deliveries$/);
    await page.locator('[role=rowheader] a').first().press('Enter');
    await page.getByRole('dialog', { name: 'post.published' }).waitFor();
  });

  test('that do not load say why, and load when asked again', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = [deliveryOf(1)];
    api.on('GET /v1/deliveries', refusal(500, 'internal', 'internal error'));
    await open(path);
    expect(await page.getByRole('alert').innerText()).toContain(requestId);
    has.answer();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  test('are offered by a test event, where there is none', async ({ on: { page, has, open } }) => {
    has.endpoints = [shop, chat];
    await open(path);
    await page.getByRole('heading', { name: 'No deliveries in the last 30 days' }).waitFor();
    expect(await page.getByRole('figure').innerText()).toContain(
      `curl -X POST 'https://api.test/v1/webhooks/${shop.id}/test'`,
    );
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await rows(page).filter({ hasText: 'webhook.test' }).waitFor();
  });

  test('lead to the endpoints, where there is none', async ({ on: { page, open } }) => {
    await open(path);
    await page.getByRole('heading', { name: 'No endpoint yet' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the endpoints' }).click();
    await page.waitForURL('**/developers/endpoints');
  });

  test('may have hostile responses, on the smallest screen too', async ({ on: { page, has, open } }) => {
    has.endpoints = [endpointOf(51, { url: `https://x.example/${'path/'.repeat(300)}` })];
    has.deliveries = hostileNames.map((text, place) =>
      failed(place + 2, {
        attempts: [attemptOf({ statusCode: 500, error: text, responseStart: text.repeat(8) })],
      }),
    );
    await page.setViewportSize({ width: 320, height: 640 });
    await open(path);
    await rows(page).first().waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await rows(page).first().getByRole('link').click();
    await page.getByRole('dialog').getByText('Attempt 1').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await page.locator('img').count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });
});

describe('a delivery', () => {
  test('is opened by keyboard, sent again, and followed', async ({ on: { page, has, open } }) => {
    has.endpoints = [shop];
    const delivery = failed(30, { type: 'post.failed' });
    has.deliveries = [deliveryOf(5), delivery];
    await open(`${path}?status=failed`);
    const link = rows(page).getByRole('link', { name: 'post.failed' });
    await link.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'post.failed' });
    const text = (await dialog.innerText()).replace(/\s+/g, ' ');
    for (const fact of [
      shop.url,
      delivery.eventId,
      delivery.id,
      'Attempt 2',
      'Attempt 1',
      '<b>Bad gateway</b>',
      'No response after 10 s',
    ])
      expect(text).toContain(fact);
    expect(text).toContain(`/v1/webhooks/${shop.id}/deliveries/${delivery.id}/redeliver`);
    expect(text.indexOf('Attempt 2')).toBeLessThan(text.indexOf('Attempt 1'));
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send again' }).press('Enter');
    await dialog.getByText('It is pending, so it is sent anyway.').waitFor();
    has.change(delivery.id, {
      status: 'delivered',
      nextAttemptAt: null,
      attempts: [...delivery.attempts, attemptOf()],
    });
    await dialog.getByText('Attempt 3').waitFor();
    await dialog.getByText('Delivered').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=failed');
  });

  test('gives the focus back to its link', async ({ on: { page, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = [deliveryOf(5)];
    await open(path);
    await rows(page).getByRole('link').press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('post.published');
  });

  test('is found by its link, however old it is', async ({ on: { page, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = Array.from({ length: 350 }, (_, place) => deliveryOf(place + 1));
    const old = has.deliveries.at(-2);
    await open(`${path}?delivery=${shop.id}.${old?.id}`);
    await page
      .getByRole('dialog')
      .getByText(old?.eventId ?? '')
      .waitFor();
  });

  test('that does not exist is not searched for ever', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [shop];
    has.deliveries = Array.from({ length: 350 }, (_, place) => deliveryOf(place + 10));
    await open(`${path}?delivery=${shop.id}.${deliveryOf(1).id}`);
    await page.getByRole('heading', { name: 'This delivery does not exist' }).waitFor();
    await expect.poll(() => api.to('GET /v1/webhooks/{id}/deliveries')).toHaveLength(1);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('says why it cannot be sent again', async ({ on: { page, api, has, open } }) => {
    has.endpoints = [shop, { ...chat, isActive: false, status: 'disabled' }];
    has.deliveries = [failed(5, { webhookId: chat.id }), failed(6), failed(7, { webhookId: id(59) })];
    api.on(
      'POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
      refusal(409, 'webhook_disabled', 'webhook: it is disabled'),
    );
    await open(path);
    const dialog = page.getByRole('dialog');
    const openRow = async (place: number) => rows(page).nth(place).getByRole('link').click();
    await openRow(0);
    await dialog.getByText('Its endpoint is paused.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await openRow(2);
    await dialog.getByText('Its endpoint is deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await openRow(1);
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByRole('alert').getByText('Webhook: it is disabled.').waitFor();
  });
});
