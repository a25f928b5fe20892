import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { demoUsername } from '../../../../bin/dev/platforms.ts';
import { AttemptView, BegunConnection } from '../../../../lib/connections/schemas.ts';
import { type Client, clientOf } from '../../../journeys/support/client.ts';
import { complaintsOf } from '../../../journeys/support/complaints.ts';
import { browserTest } from '../../../support/browser.ts';
import type { CloudVisit } from '../../../support/local-cloud.ts';
import { visitSharedCloud } from '../../../support/shared-cloud.ts';

let cloud: CloudVisit;
let client: Client;
visitSharedCloud((visit) => {
  cloud = visit;
  client = clientOf(visit, visit.demo);
});

/** `SCREENSHOTS=<folder>`: saves a picture of each page. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

async function begin(platform: string, body: object): Promise<BegunConnection> {
  return BegunConnection.parse(
    (await client.expectStatus(201, 'POST', `/v1/connect/${platform}`, body)).json(),
  );
}

async function attemptOf(state: string): Promise<AttemptView> {
  const answer = await client.expectStatus(200, 'GET', `/v1/connect/attempts/${state}`);
  return AttemptView.parse((answer.json() as { attempt: unknown }).attempt);
}

const heading = (page: Page) => page.locator('h1').innerText();

describe('in a browser', () => {
  browserTest('a person connects an account, and returns to the client', async ({ page }) => {
    const complaints = await complaintsOf(page);
    const redirectUrl = `${cloud.apiUrl}/health`;
    const { authUrl, state } = await begin('threads', { redirectUrl });
    await page.goto(authUrl);
    expect(await page.locator('.lead').innerText()).toBe('demo asks to publish as you on Threads.');
    await picture(page, 'introduction');
    await page.getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    // Going back and continuing again works, because only the return uses up the state.
    await page.goBack();
    await page.getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: `Allow as ${demoUsername('demo')}` }).click();
    await page.getByRole('button', { name: 'Connect' }).waitFor();
    expect(await heading(page)).toBe('Connect your Threads account?');
    await picture(page, 'confirm-one');
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ name }) => name.startsWith('__Host-'))).toMatchObject([
      { name: '__Host-connect', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
    ]);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.waitForURL(`${redirectUrl}?connected=*`);
    const attempt = await attemptOf(state);
    expect(attempt).toMatchObject({ status: 'connected', accounts: [{ platform: 'threads' }] });
    expect(new URL(page.url()).searchParams.get('connected')).toBe(attempt.accounts[0]?.id);

    await page.goto(authUrl);
    expect(await page.locator('main').innerText()).toContain('You have already confirmed');
    expect(complaints).toEqual([]);
  });

  browserTest('a person chooses between the accounts of a login', async ({ page }) => {
    const complaints = await complaintsOf(page);
    const names = ['Harbour Coffee', 'Harbour Bakery & Sons', '<b>Harbour</b> Books'];
    const added = await fetch(`${cloud.platforms['facebook']?.control}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'agency', pages: names.map((name) => ({ name })) }),
    });
    expect(added.ok, await added.text()).toBe(true);
    const { authUrl, state } = await begin('facebook', {});
    await page.goto(authUrl);
    await page.getByRole('button', { name: 'Continue to Facebook' }).click();
    await page.getByRole('button', { name: 'Allow as agency' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('Choose at least one account.');
    for (const name of names.slice(1)) await page.getByText(name, { exact: true }).click();
    await picture(page, 'confirm-several');
    await page.getByRole('button', { name: 'Connect' }).click();
    expect(await heading(page)).toBe('The accounts are connected');
    await picture(page, 'connected');
    const shown = (await attemptOf(state)).accounts.map(({ displayName }) => displayName);
    expect(shown.sort()).toEqual(names.slice(1).sort());
    // A reload sends the form again.
    await page.reload();
    expect(await heading(page)).toBe('This is done');
    await picture(page, 'done');
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
  });

  browserTest('a person declines, and another browser cannot finish', async ({ page, browser }) => {
    await complaintsOf(page);
    const { authUrl, state } = await begin('threads', {});
    await page.goto(authUrl);
    await page.getByRole('button', { name: 'Continue to Threads' }).click();
    await page.getByRole('button', { name: `Allow as ${demoUsername('demo')}` }).click();
    const second = await browser?.newPage();
    await second?.goto(page.url());
    if (second) await picture(second, 'other-browser');
    expect(await second?.locator('[role=alert]').innerText()).toContain('another browser');
    await second?.close();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 700 });
    await picture(page, 'confirm-dark-phone');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await heading(page)).toBe('No account was connected');
    await picture(page, 'declined');
    expect(await attemptOf(state)).toMatchObject({ status: 'refused', error: 'access_denied' });
  });
});
