import { createHmac } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { secondMs } from '../../lib/kernel/clock.ts';
import { type Receiver, startReceiver } from '../lib/webhooks/receiver.ts';
import { browserTest } from '../support/browser.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { until } from './support/client.ts';
import { complaintsOf } from './support/complaints.ts';
import { connectInPanel, openPanelVisit, ownerTestOf, type PanelVisit } from './support/owners-panel.ts';

let visit: PanelVisit;
let receiver: Receiver;
/** True while the receiver refuses every attempt. */
let isDown = false;
visitSharedCloud(async (cloud) => {
  visit = await openPanelVisit(cloud);
  receiver = await startReceiver((response) => {
    const status = isDown ? 500 : 200;
    response.statusCode = status;
    response.end(`status ${status}`);
  });
});
afterAll(() => receiver?.close());

const ownerTest = ownerTestOf(() => visit);

describe('in a browser, a person', () => {
  browserTest('signs in and issues a key, which the API takes', async ({ page }) => {
    const complaints = await complaintsOf(page);
    await page.goto(`${visit.cloud.panelUrl}/developers`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Continue as Owner' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).waitFor();
    // Other files that share the cloud have invited the same people.
    await page.evaluate((id) => sessionStorage.setItem('workspace', id), visit.cloud.demo.id);
    await page.reload();
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('From the browser');
    await page.getByRole('button', { name: 'Create key' }).click();
    const apiKey = await page.getByLabel('Your new key').inputValue();
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${visit.cloud.apiUrl}/v1/accounts`, { headers })).status).toBe(200);

    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('From the browser').first().waitFor();
    expect(await page.content()).not.toContain(apiKey);
    // That nobody was signed in yet is said by a 401, which browsers report.
    expect(complaints.filter((each) => !each.includes('401 (Unauthorized)'))).toEqual([]);
  });
});

describe('in a browser, an owner', () => {
  ownerTest('connects an account and reads its page', async ({ panel }) => {
    await connectInPanel(visit, panel, {
      platform: 'linkedin',
      title: 'LinkedIn',
      user: {
        organizations: [
          { name: 'Harbour Coffee', vanityName: 'harbour' },
          { name: 'Harbour Bakery', vanityName: 'bakery' },
        ],
      },
      as: /^Organization/,
      choose: 'Harbour Coffee',
      connected: 'Harbour Coffee',
    });
  });

  ownerTest('creates an endpoint, and follows what is sent to it', async ({ panel }) => {
    const { page, complaints, open } = panel;
    await open('/developers/endpoints');
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    const secret = await page.getByLabel('Your signing secret').inputValue();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The test event has arrived').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(receiver.received).toHaveLength(1);
    expect(isSigned(receiver, secret)).toBe(true);
    await page.getByRole('link', { name: 'Show the delivery' }).click();
    await page.getByRole('dialog').getByText('Succeeded').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    isDown = true;
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The attempt has failed').waitFor();
    await page.getByText('Failing', { exact: true }).waitFor();
    isDown = false;
    // One attempt, or more on a slow machine.
    const refused = receiver.received.length;
    await until(
      () => receiver.received,
      ({ length }) => length > refused,
      { meanwhile: () => visit.cloud.clock.advance(10 * secondMs) },
    );
    // The first request was that of the first event.
    const attempts = receiver.received.length - 1;
    await page.getByRole('link', { name: 'Show the delivery' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Attempt ${attempts}`).waitFor();
    await dialog.getByText('status 500', { exact: true }).first().waitFor({ state: 'attached' });
    await dialog.getByRole('button', { name: 'Send again', exact: true }).click();
    await dialog.getByText(`Attempt ${attempts + 1}`).waitFor();
    expect(receiver.received).toHaveLength(attempts + 2);
    expect(isSigned(receiver, secret)).toBe(true);
    expect(complaints).toEqual([]);
  });
});

/** Returns true if the newest request has the signature of the secret. */
function isSigned({ received }: Receiver, secret: string): boolean {
  const newest = received.at(-1);
  const signature = String(newest?.headers['x-service-signature']);
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(signature) ?? [];
  const signed = createHmac('sha256', secret)
    .update(`${t}.`)
    .update(newest?.body ?? '');
  return v1 === signed.digest('hex');
}
